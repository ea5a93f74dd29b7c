package main

import (
	"net"
	"os"
)

// notify tells systemd about the state of the service (Type=notify), such as "READY=1". Without systemd it does nothing.
// A socket that doesn't answer is no reason to stop: systemd has a timeout of its own.
// https://www.freedesktop.org/software/systemd/man/latest/sd_notify.html
func notify(state string) {
	socket := os.Getenv("NOTIFY_SOCKET")
	if socket == "" {
		return
	}
	c, err := net.DialUnix("unixgram", nil, &net.UnixAddr{Name: socket, Net: "unixgram"})
	if err != nil {
		return
	}
	defer c.Close()
	_, _ = c.Write([]byte(state))
}
