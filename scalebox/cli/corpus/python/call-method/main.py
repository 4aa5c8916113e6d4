class Solution:
    def twice(self, xs):
        return [x * 2 for x in xs]
