module sedmabot/startbench

go 1.26.0

require (
	github.com/gorilla/websocket v1.5.3
	sedmabot v0.0.0
)

replace sedmabot => ../..
