import pytest
from solution import add


@pytest.mark.parametrize(("a", "b", "total"), [(2, 3, 5), (-1, 1, 0)])
def test_add(a, b, total):
    assert add(a, b) == total


def test_text_is_refused():
    with pytest.raises(TypeError):
        add(1, "x")
