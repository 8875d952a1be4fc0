"""GPU families, the node labels of their products, and the resources that they are asked for as.

NVIDIA's labels are what GPU Feature Discovery writes: the device name of the driver with `-` for each blank; drivers
before 2021 left `NVIDIA-` out for data-centre cards, and both forms are alive. AMD's labeller writes `_`.
"""
from __future__ import annotations

from hetc.names import nearest
from hetc.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

RESOURCE = "nvidia.com/gpu"
LABEL = "nvidia.com/gpu.product"
_AMD = ("amd.com/gpu", "amd.com/gpu.product-name")
_PREFIX = "NVIDIA-"

# Each label is in public manifests or documentation, save those marked K, which are known without such a source.
_NVIDIA = {
    "A10": "NVIDIA-A10",
    "A100": "NVIDIA-A100-SXM4-40GB NVIDIA-A100-SXM4-80GB NVIDIA-A100-PCIE-40GB NVIDIA-A100-80GB-PCIe"
            " NVIDIA-A100-SXM-64GB"  # K
            " A100-SXM4-40GB A100-SXM4-80GB A100-PCIE-40GB"
            " A100-80GB-PCIe",  # K
    "A10G": "NVIDIA-A10G",
    "A30": "NVIDIA-A30",
    "A40": "NVIDIA-A40",
    "B200": "NVIDIA-B200",
    "GB200": "NVIDIA-GB200",
    "H100": "NVIDIA-H100-80GB-HBM3 NVIDIA-H100-PCIe NVIDIA-H100-NVL H100-80GB-HBM3",
    "H200": "NVIDIA-H200"
            " NVIDIA-H200-NVL",  # K
    "L4": "NVIDIA-L4",
    "L40": "NVIDIA-L40",
    "L40S": "NVIDIA-L40S",
    "P100": "Tesla-P100-PCIE-16GB Tesla-P100-SXM2-16GB",
    "RTX3090": "NVIDIA-GeForce-RTX-3090",
    "RTX4090": "NVIDIA-GeForce-RTX-4090",
    "RTX6000Ada": "NVIDIA-RTX-6000-Ada-Generation",  # K
    "RTXA6000": "NVIDIA-RTX-A6000",
    "T4": "Tesla-T4"
          " NVIDIA-T4",  # K
    "V100": "Tesla-V100-SXM2-16GB Tesla-V100-SXM2-32GB Tesla-V100-SXM3-32GB Tesla-V100-PCIE-16GB Tesla-V100-PCIE-32GB",
}
_INSTINCT = {
    "MI250X": "AMD_Instinct_MI250X",  # K
    "MI300X": "AMD_Instinct_MI300X_OAM",  # K
}


class Product(Record):
    """One product: the value of its node label, its resource, its node label's key."""

    product: str
    resource: str
    label: str


class Family(Record):
    """All products of a family, by code point. `name` has the table's own spelling."""

    name: str
    products: tuple[str, ...]
    resource: str
    label: str


class Unknown(Record):
    """A model that the table does not have, as a label's value; `nearest` is what it may have meant."""

    product: str
    resource: str
    label: str
    nearest: str | None


class GpuTable:
    """Families and products, and the resource and node label where a model does not choose them.

    `models` adds families or replaces them whole: a family's name -> a list of product labels, or a mapping of
    `products`, and maybe `resource` and `label`. Without these a family has the defaults. A family without products
    is taken out. NVIDIA's rows follow the defaults too, unless those are AMD's, and the reverse.
    """

    __slots__ = ("_families", "_products", "label", "resource")

    def __init__(
        self, resource: str = RESOURCE, label: str = LABEL, models: Mapping[str, Sequence[str] | Mapping[str, Any]] | None = None,
    ) -> None:
        self.resource = resource
        self.label = label
        self._families: dict[str, Family] = {}
        amd = resource.startswith("amd.com/")
        for rows, words in ((_NVIDIA, (RESOURCE, LABEL) if amd else (resource, label)), (_INSTINCT, (resource, label) if amd else _AMD)):
            for name, products in rows.items():
                self._add(name, products.split(), *words)
        for name, row in (models or {}).items():
            if isinstance(row, dict):
                self._add(name, row.get("products", ()), row.get("resource", resource), row.get("label", label))
            else:
                self._add(name, row, resource, label)  # type: ignore[arg-type]
        self._products = {product: family for family in self._families.values() for product in family.products}

    def families(self) -> list[Family]:
        """All families by name."""
        return [self._families[name] for name in sorted(self._families)]

    def resources(self) -> set[str]:
        """All resources that GPUs have here."""
        return {self.resource, *(family.resource for family in self._families.values())}

    def labels(self) -> set[str]:
        """All node labels that hold products."""
        return {self.label, *(family.label for family in self._families.values())}

    def lookup(self, model: str) -> Product | Family | Unknown:
        """What a request's GPU model means.

        A family's name counts in any case. A product's label counts only as it is spelt, since a node selector
        compares exactly; blanks may stand for `-`, or `_` in AMD's. With or without `NVIDIA-` it counts if the table
        has either, and stays as written. A family goes before a product of its name: `L4` is all of L4.
        """
        family = self._families.get(model.lower())
        if family is not None:
            return family
        for product in (model, model.replace(" ", "-"), model.replace(" ", "_")):
            for known in (product, _PREFIX + product, product.removeprefix(_PREFIX)):
                found = self._products.get(known)
                if found is not None:
                    return Product(product, found.resource, found.label)
        resource, label = _AMD if model[:3].lower() == "amd" else (self.resource, self.label)
        blank = "_" if resource.startswith("amd.com/") else "-"
        return Unknown(model.replace(" ", blank), resource, label, self._nearest(model))

    def _add(self, name: str, products: Sequence[str], resource: str, label: str) -> None:
        if products:
            self._families[name.lower()] = Family(name, tuple(sorted(set(products))), resource, label)
        else:
            self._families.pop(name.lower(), None)

    def _nearest(self, model: str) -> str | None:
        """A product that ends so, whatever case and blanks, a family among the model's words, or the closest spelling."""
        folded = _fold(model)
        for product in self._products:
            if ("-" + _fold(product)).endswith("-" + folded):
                return product
        for word in folded.split("-"):
            if word in self._families:
                return self._families[word].name
        return nearest(model, [*(family.name for family in self._families.values()), *self._products])


def _fold(model: str) -> str:
    return model.lower().replace(" ", "-").replace("_", "-")
