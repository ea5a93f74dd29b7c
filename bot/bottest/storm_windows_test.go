package bottest

func hurry(int) {}
