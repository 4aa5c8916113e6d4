# tag: compile
# A fence left in the source.
```python
print("never")
```
