print("ingestd")
