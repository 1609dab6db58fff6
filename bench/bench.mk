## make bench-NAME: cpu, sparse, peers, start, memory and others (bench/bench.mk)
# Benchmarks: `make bench-NAME`; included by the Makefile. Each prints its ceiling or its peer.

$(BUILD)/bench/sparse_steps.o: bench/sparse_steps.c $(FLAGS_STAMP)
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(CFLAGS) -MMD -MP -c $< -o $@

$(BUILD)/bench/sparse: bench/sparse.c $(BUILD)/bench/sparse_steps.o $(LIBRARY) $(FLAGS_STAMP)
	$(CC) $(CPPFLAGS) -Ibench $(CFLAGS) $(LDFLAGS) $(filter-out $(FLAGS_STAMP),$^) $(LDLIBS) -o $@

$(BUILD)/bench/%: bench/%.c $(LIBRARY) $(FLAGS_STAMP)
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(CFLAGS) $(LDFLAGS) $< $(LIBRARY) $(LDLIBS) -o $@

# All that need no GPU and no MPI, so that a change of the sources does not leave one behind.
bench-programs: $(addprefix $(BUILD)/bench/,betweenness ceiling_cpu peak sparse sssp sums text \
  trace write)

bench-scaling: all
	BUILD=$(BUILD) sh bench/scaling run $(SCALING)

bench-cpu: all $(BUILD)/bench/ceiling_cpu
	BUILD=$(BUILD) sh bench/cpu.sh

bench-certificate: all
	BUILD=$(BUILD) sh bench/certificate.sh

bench-paranoid: all $(BUILD)/bench/sums
	BUILD=$(BUILD) sh bench/paranoid.sh

bench-memory: all $(BUILD)/bench/peak
	BUILD=$(BUILD) sh bench/memory.sh

$(BUILD)/bench/start_mpi: bench/start_mpi.c $(FLAGS_STAMP)
	@mkdir -p $(@D)
	$(MPICC) $(CFLAGS) $(LDFLAGS) $< -o $@

bench-start: all $(BUILD)/bench/start_mpi
	BUILD=$(BUILD) sh bench/start.sh

bench-shared: all
	BUILD=$(BUILD) sh bench/shared_machine.sh

bench-checkpoint: all
	BUILD=$(BUILD) sh bench/checkpoint.sh

bench-write: $(BUILD)/bench/write
	BUILD=$(BUILD) sh bench/write.sh

bench-text: $(BUILD)/bench/text
	$(BUILD)/bench/text

bench-sparse: all $(BUILD)/bench/sparse $(BUILD)/bench/ceiling_cpu
	BUILD=$(BUILD) sh bench/sparse.sh

bench-long: all
	BUILD=$(BUILD) sh bench/long.sh

bench-sssp: all $(BUILD)/bench/sssp
	BUILD=$(BUILD) sh bench/sssp.sh

bench-near: all
	BUILD=$(BUILD) sh bench/near.sh

bench-skims: all
	BUILD=$(BUILD) sh bench/skims.sh

bench-auto: all
	BUILD=$(BUILD) sh bench/auto.sh

bench-betweenness: all $(BUILD)/bench/betweenness
	BUILD=$(BUILD) sh bench/betweenness.sh

# With a Python that has numpy, routingkit-cch and pandana; two idle cores.
bench-tables: all
	APSP_LIBRARY=$(abspath $(SHARED)) PYTHONPATH=python $(PYTHON) bench/tables.py $(TABLE_GRAPHS)
TABLE_GRAPHS ?= ../shared/graphs/luxembourg.gr ../shared/graphs/USA-road-d.NY.gr.gz

# New York's roads, all origins; SOURCES takes a sample, DEVICE another device. Then one column
# beside pandana, with a Python that has numpy, pandas and pandana.
bench-access: all
	@mkdir -p $(BUILD)/bench
	$(PYTHON) bench/access.py $(BUILD)/apsp $(BUILD)/bench $(ACCESS_GRAPH)
	$(PYTHON) bench/access_peer.py $(BUILD)/apsp $(BUILD)/bench $(ACCESS_GRAPH)
ACCESS_GRAPH ?= ../shared/graphs/USA-road-d.NY.gr.gz

bench-centrality: all
	BUILD=$(BUILD) sh bench/centrality.sh

bench-peers: all $(BUILD)/bench/ceiling_cpu
	BUILD=$(BUILD) sh bench/peers.sh

# With a Python that has numpy, networkit and igraph; two idle cores.
bench-hops: all
	BUILD=$(BUILD) APSP_LIBRARY=$(abspath $(SHARED)) PYTHONPATH=python $(PYTHON) bench/hops.py

bench-sparse-ranks: all
	BUILD=$(BUILD) sh bench/sparse_ranks.sh

bench-cluster: all
	BUILD=$(BUILD) bash bench/exposed.sh

.PHONY: bench-access bench-auto bench-betweenness bench-centrality bench-certificate \
  bench-checkpoint bench-cluster bench-cpu bench-hops bench-long bench-memory bench-near \
  bench-paranoid bench-peers bench-programs bench-scaling bench-shared bench-skims bench-sparse \
  bench-sparse-ranks bench-sssp bench-start bench-tables bench-text bench-write
