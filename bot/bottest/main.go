package bottest

import "os"

// Long reports whether tests take their long form: whole matches, all languages, more repetitions. In .ci/run, --long asks
// for it.
func Long() bool { return os.Getenv("SEDMABOT_TEST_LONG") == "1" }
