console.log("page")
