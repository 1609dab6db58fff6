"""A backend of NetworkX over apsp: ``nx.closeness_centrality(G, backend="apsp")``."""
