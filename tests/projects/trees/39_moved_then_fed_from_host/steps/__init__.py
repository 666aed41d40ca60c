PROGRAM = "out/rerank.ep.pt2"
PACKAGE = "out/rerank.aoti.pt2"
