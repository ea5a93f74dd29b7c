module three

go 1.26
