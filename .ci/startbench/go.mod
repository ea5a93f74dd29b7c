module sedmabot/startbench

go 1.26.0

require sedmabot v0.0.0

replace sedmabot => ../..
