# unittest.main finds the tests of __main__, reports on stderr, and exits with 1 on a failure.
import unittest


class Sums(unittest.TestCase):
    def test_right(self):
        self.assertEqual(1 + 1, 2)

    def test_wrong(self):
        self.assertEqual(1 + 1, 3)

    @unittest.skip("skipped")
    def test_skipped(self):
        pass


print("collecting")
unittest.main()
