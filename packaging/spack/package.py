# Spack's recipe, for Spack 1.0 and later; `make recipes` fills in what stands between @.

from spack_repo.builtin.build_systems.cuda import CudaPackage
from spack_repo.builtin.build_systems.makefile import MakefilePackage
from spack_repo.builtin.build_systems.rocm import ROCmPackage

from spack.package import *


class Apsp(MakefilePackage, CudaPackage, ROCmPackage):
    """Exact all-pairs shortest paths of weighted graphs: a blocked Floyd-Warshall algorithm
    over MPI ranks with GPUs or cores, and elimination by nested dissection for sparse graphs;
    results are certified."""

    homepage = "@HOMEPAGE@"
    url = "@RELEASES@/apsp-@VERSION@.tar.gz"

    license("BSD-3-Clause")

    version("@VERSION@", sha256="@SHA256@")

    variant("mpi", default=True, description="Several ranks, on one machine or many")
    variant("compression", default=True, description="Graphs packed by gzip, zstd, xz, bzip2")
    variant("graphml", default=True, description="Graphs in GraphML")
    variant("hdf5", default=False, description="Distances as HDF5")

    depends_on("c", type="build")
    depends_on("cxx", type="build", when="+cuda")
    depends_on("cxx", type="build", when="+rocm")
    depends_on("gmake", type="build")

    depends_on("cjson")
    depends_on("metis@5:")
    depends_on("xxhash@0.8:")
    # Open MPI: what the command tells mpirun, and how ranks end with it, are of Open MPI.
    depends_on("openmpi@4:", when="+mpi")
    with when("+compression"):
        depends_on("zlib-api")
        depends_on("zstd")
        depends_on("xz")
        depends_on("bzip2+shared")
    depends_on("expat", when="+graphml")
    depends_on("hdf5+shared~mpi", when="+hdf5")
    # ROCmPackage itself asks for the compiler alone.
    depends_on("hip", when="+rocm")

    conflicts("+cuda", when="+rocm", msg="a program is for GPUs of NVIDIA or of AMD")
    conflicts("cuda_arch=none", when="+cuda", msg="cuda_arch says which GPUs the kernels are for")
    conflicts("platform=darwin")
    conflicts("platform=windows")

    @property
    def settings(self):
        """Of make, the same to build and to install."""
        spec = self.spec
        mpicc = spec["openmpi"].prefix.bin.mpicc if spec.satisfies("+mpi") else "none"
        settings = [
            f"PREFIX={self.prefix}",
            f"CC={spack_cc}",
            # The compiler's wrapper finds them, not the compiler, which the Makefile would ask.
            "CJSON=-lcjson",
            "METIS=-lmetis",
            f"MPICC={mpicc}",
        ]
        if spec.satisfies("+cuda"):
            settings += ["GPU=cuda", f"NVCC={spec['cuda'].prefix.bin.nvcc}"]
            settings += [f"ARCH={' '.join(spec.variants['cuda_arch'].value)}"]
        elif spec.satisfies("+rocm"):
            settings += ["GPU=hip", f"HIPCC={spec['hip'].prefix.bin.hipcc}"]
            settings += [f"ROCM_PATH={spec['hip'].prefix}"]
            settings += [f"ARCH={' '.join(spec.variants['amdgpu_target'].value)}"]
        else:
            settings += ["GPU=none"]
        return settings

    @property
    def build_targets(self):
        return ["all", *self.settings]

    @property
    def install_targets(self):
        return ["install", *self.settings]

    def test_verify(self):
        """a generated graph is solved and certified"""
        generate = Executable(self.prefix.bin.join("apsp-gen"))
        solve = Executable(self.prefix.bin.apsp)
        generate("grid", "-n", "400", "-s", "1", "-o", "grid.bin", "--force")
        solve("--verify=all", "--force", "grid.bin", "grid.dist")
