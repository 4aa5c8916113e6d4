# uuid: versions, variants and the named kinds.
import uuid

print(uuid.uuid5(uuid.NAMESPACE_DNS, "example.org"), uuid.uuid3(uuid.NAMESPACE_URL, "x"))
four = uuid.uuid4()
print(four.version, four.variant == uuid.RFC_4122, four != uuid.uuid4(), uuid.uuid1().version)
