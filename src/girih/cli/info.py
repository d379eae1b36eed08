def add_parser(sub): sub.add_parser("info")
def run(a): return 0
