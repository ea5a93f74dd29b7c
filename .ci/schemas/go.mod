module schemas

go 1.26
