package redisstore

import "time"

// Patient are options with a long timeout for calls, so that the suite also passes on a slow machine.
func Patient(o Options) Options {
	o.limit = 2 * time.Minute
	return o
}
