package web

import (
	"context"
	"reflect"
	"slices"
	"time"

	"sedmabot/bot/chat"
	"sedmabot/bot/face"
	"sedmabot/bot/lang"
	"sedmabot/bot/screen"
	"sedmabot/bot/view"
)

// front shows the front door: what the visitor can play, while they are at no table. It is shown
// again when a table opens, changes or closes in the chat from which they came.
func (c *socket) front(ctx context.Context) error {
	if c.visitor.Table != "" {
		return errSession
	}
	if c.here.ID != "" {
		if !c.site.entries.allow("member "+c.visitor.Player.ID, maxEntries) {
			return errBusy
		}
		if err := c.site.checkChats(ctx, c.session, c.here); err != nil {
			return err
		}
	}
	c.close()
	c.seated.Store(false)
	watching, stop := context.WithCancel(ctx)
	c.mu.Lock()
	c.table, c.leave, c.puzzled, c.fronted = view.FrontDoor, stop, false, view.Live{}
	c.mu.Unlock()
	if !c.site.hub.join(c, view.FrontDoor) {
		return errStopping
	}
	open, err := c.showFront(watching)
	if err != nil || c.here.ID == "" {
		return err
	}
	lives := []chat.Changes{c.site.Pages().ChangesIn(watching, c.here.Home)}
	if open != "" { // it may start, fill and end
		changes, err := c.site.Pages().Changes(watching, open)
		if err != nil {
			return err
		}
		lives = append(lives, changes)
	}
	for _, changes := range lives {
		go func() {
			defer c.site.contain(c.end)
			for range changes {
				if _, err := c.showFront(watching); err != nil && watching.Err() == nil {
					c.endWith(err)
					return
				}
			}
		}()
	}
	return nil
}

// showFront sends the front door, if the page still shows it and it isn't as it was. It returns the open table of the chat from
// which the visitor came.
func (c *socket) showFront(ctx context.Context) (open string, err error) {
	live, err := c.frontLive(ctx)
	if err != nil {
		return "", err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.table == view.FrontDoor && ctx.Err() == nil && !c.puzzled && !reflect.DeepEqual(live, c.fronted) {
		c.fronted = live
		c.sendDoor(live)
	}
	return live.Open, nil
}

// puzzle shows a position of a puzzle, to which a press has led, in place of the front door, until the page asks for the front
// door again. It reports false if the page shows something else.
func (c *socket) puzzle(p chat.Position, press string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.table != view.FrontDoor {
		return false
	}
	c.puzzled = true
	c.sendDoor(*c.position(chat.PageTable{}, p, press))
	return true
}

// position returns a position as the page shows it. At the front door, t is the zero value. Only this socket and the page know the
// position, so the page repeats the press on the next socket, and after a reload.
func (c *socket) position(t chat.PageTable, p chat.Position, press string) *view.Live {
	live := view.LivePosition(p).Live()
	live.Again = press
	shown := c.screen(t, p.Beside)
	live.Panel = &shown
	return &live
}

// sendDoor sends what the page shows while its reader is at no table. Its version is newer than that of an earlier socket
// of the page, for pages of earlier versions, which show nothing older. c.mu is held.
func (c *socket) sendDoor(live view.Live) {
	c.fronts = max(c.fronts+1, time.Now().UnixMilli())
	live.Version = c.fronts
	c.door = &live
	c.signal()
}

// frontLive returns the front door as the visitor's page shows it.
func (c *socket) frontLive(ctx context.Context) (view.Live, error) {
	pages, player := c.site.Pages(), c.visitor.Player
	ids, err := pages.Tables(ctx, player.ID)
	if err != nil {
		return view.Live{}, err
	}
	open := ""
	if c.here.ID != "" {
		if open, err = pages.OpenIn(ctx, c.here); err != nil {
			return view.Live{}, err
		}
		if open != "" && !slices.Contains(ids, open) {
			ids = append(ids, open)
		}
	}
	var tables []view.FrontTable
	for _, id := range slices.Backward(ids) {
		t, err := pages.Table(ctx, id)
		if err != nil {
			continue // the table has ended meanwhile
		}
		_, sits := t.Private(player.ID)
		tables = append(tables, view.FrontTable{Public: t.Public, Sits: sits})
	}
	language, own, fresh, err := pages.Preferences(ctx, player.ID)
	if err != nil {
		return view.Live{}, err
	}
	live := view.FrontLive(tables, c.here.ID != "", c.here.ID != "" && open == "", fresh, face.Face(own), lang.For(language, player.Lang))
	live.Open = open
	confine(chat.PageTable{Allows: func(press string) bool { return screen.PressWord(press) == view.Show || pages.AtDoor(press) }}, live.Panel)
	return live, nil
}

// screen returns the answer to a press as the page shows it. At the front door, t is the zero value.
func (c *socket) screen(t chat.PageTable, s screen.Screen) view.LiveScreen {
	if t.Allows == nil {
		t.Allows = c.site.Pages().AtDoor
	}
	return screenOf(t, s)
}
