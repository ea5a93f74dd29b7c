package store

import (
	"context"
	"math/rand/v2"
	"time"
)

// WatchEvery is about how often a watch reads its documents if nothing reports a change. A report may get lost, a process
// of an older version makes none, and neither does a document that expires.
const WatchEvery = 3 * time.Second

// Follow does the work of [Store].Watch for a backend. get is its Get. It reads the documents when wake receives, which
// may be more often than they change, and about every WatchEvery. The channel is closed when ctx ends or closed is closed.
func Follow(ctx context.Context, get func(context.Context, ...Key) ([]Doc, error), keys []Key, wake <-chan struct{}, closed <-chan struct{}) <-chan []Doc {
	out := make(chan []Doc)
	go func() {
		defer close(out)
		seen := map[Key]int64{} // versions that the reader has received
		timer := time.NewTimer(0)
		defer timer.Stop()
		var pending []Doc
		for {
			var ready chan<- []Doc
			if len(pending) > 0 {
				ready = out
			}
			select {
			case <-ctx.Done():
				return
			case <-closed:
				return
			case ready <- pending:
				for _, doc := range pending {
					seen[doc.Key] = doc.Version
				}
				pending = nil
				continue
			case <-wake:
			case <-timer.C:
			}
			if ctx.Err() != nil {
				return
			}
			timer.Reset(WatchEvery*3/4 + rand.N(WatchEvery/2))
			docs, err := get(ctx, keys...)
			if err != nil {
				continue // what is pending remains, and the next round reads again
			}
			pending = nil
			for _, doc := range docs {
				if version, known := seen[doc.Key]; !known || version != doc.Version {
					pending = append(pending, doc)
				}
			}
		}
	}()
	return out
}
