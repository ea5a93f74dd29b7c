// Three runs a program as three processes on one redis-server, like a deployment. It sets SEDMABOT_STORE_REDIS_URL for
// each process. If SEDMABOT_HTTP_LISTEN is set, each process listens on its own port, and three passes requests to that
// address on to the processes in turn. It ends on SIGINT or SIGTERM, or when any of the processes ends.
//
//	three PROGRAM [ARGUMENTS]
package main

import (
	"cmp"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"sync/atomic"
	"syscall"
	"time"
)

const processes = 3

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "three:", err)
		os.Exit(1)
	}
}

func run(command []string) error {
	if len(command) == 0 {
		return errors.New("usage: three PROGRAM [ARGUMENTS]")
	}
	folder, err := os.MkdirTemp("", "three")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	stop := make(chan os.Signal, 1)
	signal.Notify(stop, os.Interrupt, syscall.SIGTERM)
	ended := make(chan error, processes+2)

	at, err := free()
	if err != nil {
		return err
	}
	_, port, _ := strings.Cut(at, ":")
	redis := exec.Command(cmp.Or(os.Getenv("SEDMABOT_TEST_REDIS"), "redis-server"), "--port", port, "--bind", "127.0.0.1", "--save", "", "--dir", folder)
	redis.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	if err := redis.Start(); err != nil {
		return err
	}
	defer redis.Process.Kill()
	go func() { ended <- fmt.Errorf("redis-server: %w", redis.Wait()) }()
	if err := answers(at); err != nil {
		return err
	}

	front := os.Getenv("SEDMABOT_HTTP_LISTEN")
	var behind []*httputil.ReverseProxy
	var all []*exec.Cmd
	var ports []string
	for range processes {
		env := append(os.Environ(), "SEDMABOT_STORE_REDIS_URL=redis://"+at, "SEDMABOT_STORE_PATH=")
		if front != "" {
			own, err := free()
			if err != nil {
				return err
			}
			monitor, err := free()
			if err != nil {
				return err
			}
			env, ports = append(env, "SEDMABOT_HTTP_LISTEN="+own, "SEDMABOT_MONITOR_LISTEN="+monitor), append(ports, monitor)
			behind = append(behind, httputil.NewSingleHostReverseProxy(&url.URL{Scheme: "http", Host: own}))
		}
		cmd := exec.Command(command[0], command[1:]...)
		cmd.Env, cmd.Stdout, cmd.Stderr = env, os.Stdout, os.Stderr
		cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
		if err := cmd.Start(); err != nil {
			return err
		}
		all = append(all, cmd)
	}
	for _, at := range ports { // wait for each process, like a load balancer
		if err := ready("http://" + at + "/readyz"); err != nil {
			return err
		}
	}
	if front != "" {
		var turn atomic.Uint64
		server := &http.Server{Addr: front, Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			behind[turn.Add(1)%processes].ServeHTTP(w, r)
		})}
		go func() { ended <- server.ListenAndServe() }()
		defer server.Close()
	}
	exits := make(chan error, processes)
	for _, cmd := range all {
		go func() { exits <- cmd.Wait() }()
	}
	left, failed := processes, error(nil)
	select {
	case <-stop:
	case failed = <-ended:
	case failed = <-exits:
		left--
		failed = fmt.Errorf("a process ended unexpectedly: %w", errors.Join(failed, errors.New("not asked to")))
	}
	for _, cmd := range all {
		_ = cmd.Process.Signal(syscall.SIGTERM)
	}
	for range left {
		select {
		case err := <-exits:
			failed = errors.Join(failed, err)
		case <-time.After(20 * time.Second):
			return errors.Join(failed, errors.New("a process did not end"))
		}
	}
	return failed
}

// free returns an address on which nobody listens.
func free() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	defer l.Close()
	return l.Addr().String(), nil
}

// answers waits until somebody listens on an address.
func answers(at string) error {
	for range 400 {
		if c, err := net.Dial("tcp", at); err == nil {
			return c.Close()
		}
		time.Sleep(50 * time.Millisecond)
	}
	return fmt.Errorf("nobody listens at %s", at)
}

// ready waits until a process reports that it is ready for requests.
func ready(url string) error {
	for range 400 {
		if r, err := http.Get(url); err == nil {
			r.Body.Close()
			if r.StatusCode == http.StatusOK {
				return nil
			}
		}
		time.Sleep(50 * time.Millisecond)
	}
	return fmt.Errorf("%s does not say that it is ready", url)
}
