package store

import (
	"fmt"
	"testing"
)

// Stored data depends on these numbers.
func TestPartitionIsStable(t *testing.T) {
	t.Parallel()
	for home, want := range map[string]int{
		"":                          5,
		"discord:42":                9,
		"discord:81384788765712384": 5,
		"telegram:-1009":            5,
		"playground:1":              9,
	} {
		if got := Partition(home); got != want {
			t.Errorf("home %q is in partition %d, want %d", home, got, want)
		}
	}
}

func TestPartitionsShareTheLoad(t *testing.T) {
	t.Parallel()
	const homes = 16_000
	var count [Partitions]int
	for i := range homes {
		count[Partition(fmt.Sprint("discord:", 81384788765712384+i*4194304))]++
	}
	for p, n := range count {
		if n < homes/Partitions/2 || n > homes/Partitions*2 {
			t.Errorf("partition %d has %d of %d homes", p, n, homes)
		}
	}
}
