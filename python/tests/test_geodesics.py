"""Geodesics beside the distances of scikit-learn's Isomap."""

import pytest

import apsp

np = pytest.importorskip("numpy")
manifold = pytest.importorskip("sklearn.manifold")
base = pytest.importorskip("sklearn.base")
decomposition = pytest.importorskip("sklearn.decomposition")


def roll(n=400, parts=1, seed=1):
    rng = np.random.default_rng(seed)
    t = 1.5 * np.pi * (1 + 2 * rng.random(n))
    points = np.stack([t * np.cos(t), 20 * rng.random(n), t * np.sin(t)], axis=1)
    points[:, 1] += 500 * (np.arange(n) % parts)
    return points


@pytest.mark.parametrize("settings", [{"n_neighbors": 6}, {"n_neighbors": None, "radius": 4.0},
                                      {"n_neighbors": 6, "metric": "manhattan"}])
@pytest.mark.filterwarnings("ignore")
def test_as_isomap(settings):
    points, others = roll(), roll(30, seed=2)
    theirs = manifold.Isomap(n_components=2, **settings).fit(points)
    ours = apsp.Geodesics(**settings)
    distances = ours.fit_transform(points)
    assert distances == pytest.approx(theirs.dist_matrix_, rel=1e-12)
    kernel = decomposition.KernelPCA(n_components=2, kernel="precomputed", eigen_solver="dense")
    embedded = kernel.fit_transform(-0.5 * distances**2)
    assert np.abs(embedded) == pytest.approx(np.abs(theirs.embedding_), rel=1e-6, abs=1e-6)
    through = ours.transform(others)
    assert through.shape == (30, 400)
    rows = kernel.transform(-0.5 * through**2)
    assert np.abs(rows) == pytest.approx(np.abs(theirs.transform(others)), rel=1e-6, abs=1e-6)


@pytest.mark.filterwarnings("ignore")
def test_components_are_joined_as_isomap_does():
    points = roll(200, parts=3)
    theirs = manifold.Isomap(n_neighbors=5).fit(points).dist_matrix_
    assert apsp.Geodesics(5).fit_transform(points) == pytest.approx(theirs, rel=1e-12)
    single = apsp.Geodesics(5, dtype="float32").fit_transform(points)
    assert single.dtype == "float32" and single == pytest.approx(theirs, rel=1e-6)


def test_an_estimator_of_scikit_learn():
    ours = apsp.Geodesics(7, dtype="float32")
    copy = base.clone(ours)
    assert copy is not ours and copy.get_params() == ours.get_params()
    assert copy.set_params(n_neighbors=3).n_neighbors == 3
    with pytest.raises(ValueError, match="no parameter"):
        copy.set_params(neighbours=3)
    with pytest.raises(ValueError, match="one of n_neighbors and radius"):
        apsp.Geodesics(5, radius=1.0).fit(roll())
    pipeline = pytest.importorskip("sklearn.pipeline")
    made = pipeline.make_pipeline(apsp.Geodesics(6), decomposition.PCA(2)).fit_transform(roll())
    assert made.shape == (400, 2) and "n_neighbors=6" in repr(apsp.Geodesics(6))


def test_transform_before_fit():
    with pytest.raises(pytest.importorskip("sklearn.exceptions").NotFittedError):
        apsp.Geodesics().transform([[1.0]])
