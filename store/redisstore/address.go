package redisstore

import (
	"cmp"
	"crypto/tls"
	"errors"
	"net"
	"net/url"
	"strconv"
	"strings"

	"github.com/redis/go-redis/v9"
)

// Errors of a malformed address. They replace the parsers' errors, which may quote the password.
var (
	errForm     = errors.New("the redis address is malformed: write redis://[user:password@]host:port[/database] with special characters of the password percent-encoded")
	errName     = errors.New("server_name in the redis address is the name in a certificate: let the address begin with rediss://, or leave it out")
	errSentinel = errors.New("the redis address is malformed: write redis+sentinel://[user:password@]host:port,host:port/name[/database], where name is the master's in the Sentinels' configuration")
)

// CheckAddress returns an error if an address is malformed. It connects to nothing.
func CheckAddress(address string) error {
	client, _, err := connect(address, Options{limit: limit})
	if err != nil {
		return err
	}
	return client.Close()
}

// connect returns a client for the address, and the address in a form without secrets.
func connect(address string, options Options) (client redis.UniversalClient, where string, err error) {
	scheme, rest, _ := strings.Cut(strings.TrimSpace(address), "://")
	if plain, ok := strings.CutSuffix(scheme, "+sentinel"); ok {
		return connectSentinels(plain, rest, options)
	}
	var nodes []*redis.Options
	for i, part := range strings.Split(address, ",") {
		part, name := cutName(strings.TrimSpace(part))
		options.name = cmp.Or(options.name, name)
		if i > 0 && !strings.Contains(part, "://") {
			part = "redis://" + part
		}
		node, err := parseNode(part)
		if err != nil {
			return nil, "", errForm
		}
		nodes = append(nodes, node)
	}
	o := nodes[0]
	if o.TLSConfig == nil && options.name != "" {
		return nil, "", errName
	}
	if len(nodes) == 1 {
		if o.TLSConfig != nil {
			options.secure(o.TLSConfig)
		}
		o.Protocol = 2
		o.MaxRetries = -1 // Store.retry decides
		o.DialerRetries = 1
		o.DialTimeout, o.ReadTimeout, o.WriteTimeout, o.PoolTimeout = options.limit, options.limit, options.limit, options.limit
		o.ContextTimeoutEnabled = true
		o.OnConnect = options.onConnect
		return redis.NewClient(o), o.Addr, nil
	}
	addrs := make([]string, len(nodes))
	for i, node := range nodes {
		addrs[i] = node.Addr
	}
	return redis.NewClusterClient(&redis.ClusterOptions{
		Addrs:    addrs,
		Username: o.Username, Password: o.Password, TLSConfig: forAll(o, options),
		Protocol:      2,
		MaxRetries:    -1,
		DialerRetries: 1,
		DialTimeout:   options.limit, ReadTimeout: options.limit, WriteTimeout: options.limit, PoolTimeout: options.limit,
		ContextTimeoutEnabled:  true,
		DisableRoutingPolicies: true, // all keys of each of our commands are in one slot
		OnConnect:              options.onConnect,
	}), strings.Join(addrs, ","), nil
}

// parseNode parses the address of one node, and checks its port, which the parser leaves to the dialer.
func parseNode(address string) (*redis.Options, error) {
	node, err := redis.ParseURL(address)
	if err != nil || node.Network == "unix" {
		return node, err
	}
	_, port, err := net.SplitHostPort(node.Addr)
	if n, wrong := strconv.ParseUint(port, 10, 16); err == nil && (wrong != nil || n == 0) {
		err = errForm
	}
	return node, err
}

// connectSentinels implements connect for redis+sentinel:// and rediss+sentinel://; rest is the part after the scheme.
func connectSentinels(scheme, rest string, options Options) (redis.UniversalClient, string, error) {
	rest, query, _ := strings.Cut(rest, "?")
	authority, path, _ := strings.Cut(rest, "/")
	user, hosts := "", authority
	if at := strings.LastIndex(authority, "@"); at >= 0 {
		user, hosts = authority[:at+1], authority[at+1:]
	}
	name, database, numbered := strings.Cut(path, "/")
	name, err := url.PathUnescape(name)
	if err != nil || name == "" || numbered && database == "" || strings.Trim(database, "0123456789") != "" {
		return nil, "", errSentinel
	}
	own, err := url.ParseQuery(query)
	if err != nil {
		return nil, "", errSentinel
	}
	for key := range own {
		if key != "sentinel_username" && key != "sentinel_password" && key != nameKey {
			return nil, "", errSentinel
		}
	}
	var nodes []*redis.Options
	var addrs []string
	for host := range strings.SplitSeq(hosts, ",") {
		host = strings.TrimSpace(host)
		if host == "" {
			return nil, "", errSentinel
		}
		if !strings.Contains(host[strings.LastIndex(host, "]")+1:], ":") {
			host += ":26379" // the Sentinels' default port, which differs from that of Redis
		}
		node, err := parseNode(scheme + "://" + user + host + "/" + database)
		if err != nil {
			return nil, "", errSentinel
		}
		nodes, addrs = append(nodes, node), append(addrs, node.Addr)
	}
	o := nodes[0]
	if options.name = own.Get(nameKey); o.TLSConfig == nil && options.name != "" {
		return nil, "", errName
	}
	return redis.NewFailoverClient(&redis.FailoverOptions{
		MasterName: name, SentinelAddrs: addrs,
		SentinelUsername: own.Get("sentinel_username"), SentinelPassword: own.Get("sentinel_password"),
		Username: o.Username, Password: o.Password, DB: o.DB, TLSConfig: forAll(o, options),
		Protocol:      2,
		MaxRetries:    -1,
		DialerRetries: 1,
		DialTimeout:   options.limit, ReadTimeout: options.limit, WriteTimeout: options.limit, PoolTimeout: options.limit,
		ContextTimeoutEnabled: true,
		OnConnect:             options.onConnect,
	}), strings.Join(addrs, ",") + "/" + name, nil
}

// nameKey is the parameter of an address with the name that the certificate has, if it isn't the host's.
const nameKey = "server_name"

// cutName takes the parameter nameKey out of an address.
func cutName(address string) (rest, name string) {
	base, query, _ := strings.Cut(address, "?")
	values, err := url.ParseQuery(query)
	if err != nil || !values.Has(nameKey) {
		return address, ""
	}
	name = values.Get(nameKey)
	values.Del(nameKey)
	if len(values) > 0 {
		base += "?" + values.Encode()
	}
	return base, name
}

// forAll returns the TLS settings for several nodes, each verified by its own name unless the address has one. Without TLS
// it returns nil.
func forAll(o *redis.Options, options Options) *tls.Config {
	if o.TLSConfig == nil {
		return nil
	}
	config := &tls.Config{MinVersion: tls.VersionTLS12}
	options.secure(config)
	return config
}

// secure adds the options to the settings of TLS.
func (o Options) secure(config *tls.Config) {
	config.RootCAs, config.ServerName = o.Roots, cmp.Or(o.name, config.ServerName)
	if o.Certificate != nil {
		config.GetClientCertificate = func(*tls.CertificateRequestInfo) (*tls.Certificate, error) { return o.Certificate() }
	}
}
