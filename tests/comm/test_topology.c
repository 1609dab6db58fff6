/* topology_bind on one rank: the cores that the process may use, and no others. */
#include "unit.h"

#include "comm/topology.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>

static struct comm *comm;
static cpu_set_t all;

static int lowest(void)
{
    int unit = 0;
    while (!CPU_ISSET(unit, &all))
        unit++;
    return unit;
}

static void takes_what_it_may_use(void **state)
{
    struct topology topology;
    cpu_set_t after;
    (void)state;
    topology_bind(&topology, comm, "", 0);
    assert_in_range(topology.threads, 1, CPU_COUNT(&all));
    assert_int_equal(atoi(topology.cores), lowest());
    sched_getaffinity(0, sizeof after, &after);
    assert_true(CPU_EQUAL(&all, &after));
}

static void keeps_a_binding(void **state)
{
    struct topology topology;
    cpu_set_t one, after;
    char text[16];
    (void)state;
    CPU_ZERO(&one);
    CPU_SET(lowest(), &one);
    snprintf(text, sizeof text, "%d", lowest());
    for (int threads = 0; threads <= 2; threads++) { /* 0: its number of cores */
        sched_setaffinity(0, sizeof one, &one);
        topology_bind(&topology, comm, "ffff:ff:ff.f", threads); /* no such device */
        assert_int_equal(topology.threads, threads == 2 ? 2 : 1);
        assert_string_equal(topology.cores, text);
        sched_getaffinity(0, sizeof after, &after);
        assert_true(CPU_EQUAL(&one, &after));
    }
    sched_setaffinity(0, sizeof all, &all);
}

/* How many cores it has after mpirun has bound it to one, and somebody has set the variable. */
static int cores_after_mpirun(const char *asked)
{
    struct topology topology;
    cpu_set_t one, after;
    CPU_ZERO(&one);
    CPU_SET(lowest(), &one);
    sched_setaffinity(0, sizeof one, &one);
    setenv("OMPI_MCA_orte_bound_at_launch", "1", 1);
    if (asked)
        setenv(asked, "core", 1);
    topology_bind(&topology, comm, "", 0);
    unsetenv("OMPI_MCA_orte_bound_at_launch");
    if (asked)
        unsetenv(asked);
    sched_getaffinity(0, sizeof after, &after);
    sched_setaffinity(0, sizeof all, &all);
    return CPU_COUNT(&after);
}

/* What mpirun does by itself is not what anybody has asked for. */
static void undoes_a_default_binding(void **state)
{
    (void)state;
    assert_true(cores_after_mpirun(NULL) >= CPU_COUNT(&all));
    assert_int_equal(cores_after_mpirun("OMPI_MCA_hwloc_base_binding_policy"), 1);
    assert_int_equal(cores_after_mpirun("OMPI_MCA_rmaps_base_mapping_policy"), 1);
}

static int start(void **state)
{
    struct apsp_error error = {0};
    (void)state;
    unsetenv("OMPI_MCA_orte_bound_at_launch");
    unsetenv("OMPI_MCA_hwloc_base_binding_policy");
    unsetenv("OMPI_MCA_rmaps_base_mapping_policy");
    return sched_getaffinity(0, sizeof all, &all) || comm_solo(&comm, &error);
}

static int end(void **state)
{
    (void)state;
    comm_free(comm);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(takes_what_it_may_use),
                                       cmocka_unit_test(keeps_a_binding),
                                       cmocka_unit_test(undoes_a_default_binding)};
    return cmocka_run_group_tests_name("topology", tests, start, end) != 0;
}
