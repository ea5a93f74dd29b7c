package redisstore

import "time"

// Patient are options with which a call may take long: what a suite asks holds on a slow machine, too.
func Patient(o Options) Options {
	o.limit = 2 * time.Minute
	return o
}
