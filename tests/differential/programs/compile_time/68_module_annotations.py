# Module annotations are kept in the module.
import sys

count: int = 3
name: "str"
print(sys.modules["__main__"].__annotations__, count, "name" in globals())
