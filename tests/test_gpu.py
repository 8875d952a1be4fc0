"""GPU models: products, families, what is unknown, and what a site adds."""
from __future__ import annotations

import pytest

from hetc.gpu import LABEL, RESOURCE, Family, GpuTable, Product, Unknown

TABLE = GpuTable()
AMD = ("amd.com/gpu", "amd.com/gpu.product-name")


@pytest.mark.parametrize(("model", "product"), [
    ("NVIDIA-A100-SXM4-80GB", "NVIDIA-A100-SXM4-80GB"),
    ("A100-SXM4-80GB", "A100-SXM4-80GB"),
    ("NVIDIA A100-SXM4-80GB", "NVIDIA-A100-SXM4-80GB"),
    ("A100-SXM-64GB", "A100-SXM-64GB"),
    ("NVIDIA-Tesla-T4", "NVIDIA-Tesla-T4"),
    ("H100-PCIe", "H100-PCIe"),
    ("NVIDIA GeForce RTX 3090", "NVIDIA-GeForce-RTX-3090"),
])
def test_a_product_is_the_label_as_written(model, product):
    assert TABLE.lookup(model) == Product(product, RESOURCE, LABEL)


def test_amds_products_have_their_own_resource_label_and_blanks():
    for model in ("AMD_Instinct_MI300X_OAM", "AMD Instinct MI300X OAM"):
        assert TABLE.lookup(model) == Product("AMD_Instinct_MI300X_OAM", *AMD)
    assert TABLE.lookup("mi300x") == Family("MI300X", ("AMD_Instinct_MI300X_OAM",), *AMD)


@pytest.mark.parametrize("model", ["A100", "a100"])
def test_a_family_is_all_its_products_by_code_point(model):
    assert TABLE.lookup(model) == Family("A100", (
        "A100-80GB-PCIe", "A100-PCIE-40GB", "A100-SXM4-40GB", "A100-SXM4-80GB", "NVIDIA-A100-80GB-PCIe", "NVIDIA-A100-PCIE-40GB",
        "NVIDIA-A100-SXM-64GB", "NVIDIA-A100-SXM4-40GB", "NVIDIA-A100-SXM4-80GB",
    ), RESOURCE, LABEL)


FAMILIES = "A10 A10G A30 A40 B200 GB200 H100 H200 L4 L40 L40S P100 RTX3090 RTX4090 RTX6000Ada RTXA6000 T4 V100".split()


@pytest.mark.parametrize("model", FAMILIES)
def test_every_family_is_known_and_goes_before_a_product_of_its_name(model):
    found = TABLE.lookup(model)
    assert isinstance(found, Family)
    assert (found.name, found.resource, found.label) == (model, RESOURCE, LABEL)
    assert all(isinstance(TABLE.lookup(product), Product) for product in found.products)


@pytest.mark.parametrize(("model", "near"), [
    ("nvidia-a100-sxm4-80gb", "NVIDIA-A100-SXM4-80GB"), ("NVIDIA-A100", "A100"), ("A100-80GB", "A100"), ("H100-SXM5", "H100"),
    ("V100-SXM2-32GB", "Tesla-V100-SXM2-32GB"), ("RTX-4090", "NVIDIA-GeForce-RTX-4090"), ("A101", "A100"), ("L40SS", "L40S"), ("zzz", None),
    ("x" * 100_000, None),
])
def test_an_unknown_model_stays_as_written_and_names_the_nearest(model, near):
    assert TABLE.lookup(model) == Unknown(model, RESOURCE, LABEL, near)


def test_blanks_in_an_unknown_model_are_written_as_its_vendor_does():
    assert TABLE.lookup("NVIDIA Z9 Plus").product == "NVIDIA-Z9-Plus"
    found = TABLE.lookup("AMD Instinct MI999X")
    assert (found.product, found.resource, found.label) == ("AMD_Instinct_MI999X", *AMD)
    site = GpuTable(*AMD)
    assert site.lookup("Instinct Z9").product == "Instinct_Z9"


def test_a_site_adds_replaces_and_takes_out_families():
    site = GpuTable(models={
        "Z9": ["Z9-B", "Z9-A", "Z9-A"],
        "a100": ["Our-A100"],
        "T4": [],
        "Ascend910": {"products": ["Ascend910B"], "resource": "huawei.com/Ascend910", "label": "our/npu"},
        "Plain": {"products": ["Plain-1"]},
    })
    assert site.lookup("z9") == Family("Z9", ("Z9-A", "Z9-B"), RESOURCE, LABEL)
    assert site.lookup("A100") == Family("a100", ("Our-A100",), RESOURCE, LABEL)
    assert isinstance(site.lookup("A100-SXM4-80GB"), Unknown)
    assert isinstance(site.lookup("T4"), Unknown)
    assert site.lookup("Ascend910B") == Product("Ascend910B", "huawei.com/Ascend910", "our/npu")
    assert site.lookup("Plain-1") == Product("Plain-1", RESOURCE, LABEL)
    assert isinstance(TABLE.lookup("T4"), Family)


def test_a_sites_defaults_hold_for_nvidias_rows_and_for_the_unknown():
    site = GpuTable("nvidia.com/gpu.shared", "our/product")
    assert site.lookup("A100-SXM4-80GB") == Product("A100-SXM4-80GB", "nvidia.com/gpu.shared", "our/product")
    assert site.lookup("zzz") == Unknown("zzz", "nvidia.com/gpu.shared", "our/product", None)
    assert site.lookup("MI300X").resource == "amd.com/gpu"


def test_a_site_with_amd_by_default_leaves_nvidias_rows_alone():
    site = GpuTable("amd.com/gpu.half", "our/product")
    assert (site.lookup("A100").resource, site.lookup("A100").label) == (RESOURCE, LABEL)
    assert (site.lookup("MI300X").resource, site.lookup("MI300X").label) == ("amd.com/gpu.half", "our/product")
