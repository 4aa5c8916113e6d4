@program@

module ScaleBoxHarness
  require "json"
  require "set"

  DEEPEST = 200

  def self.decode(tree)
    case tree
    when ::Array then tree.map { |item| decode(item) }
    when ::Hash
      tag = tree.size == 1 ? tree.keys[0] : ""
      tag.start_with?("$") ? tagged(tag, tree[tag]) : tree.transform_values { |item| decode(item) }
    else tree
    end
  end

  def self.tagged(tag, inner)
    case tag
    when "$float" then { "nan" => ::Float::NAN, "inf" => ::Float::INFINITY, "-inf" => -::Float::INFINITY }.fetch(inner)
    when "$int" then inner.to_i(16)
    when "$complex" then ::Kernel.Complex(*decode(inner))
    when "$bytes" then inner.unpack1("m")
    when "$tuple" then decode(inner)
    when "$set", "$frozenset" then ::Set.new(decode(inner))
    when "$dict" then decode(inner).to_h
    else ::Kernel.raise ::TypeError, "an argument is a #{tag[1..]}, which Ruby has not"
    end
  end

  def self.number(value)
    return '{"$float":"nan"}' if value.nan?
    return value.positive? ? '{"$float":"inf"}' : '{"$float":"-inf"}' if value.infinite?

    ::JSON.generate(value)
  end

  def self.text(value)
    value = value.encode("UTF-8") unless value.encoding == ::Encoding::BINARY
    value = value.dup.force_encoding("UTF-8")
    value.valid_encoding? ? ::JSON.generate(value) : "{\"$bytes\":\"#{[value].pack("m0")}\"}"
  end

  def self.list(values, depth)
    "[#{values.map { |item| encode(item, depth) }.join(",")}]"
  end

  def self.hash(value, depth)
    keys = value.keys.map { |key| key.is_a?(::Symbol) ? key.to_s : key }
    named = keys.all?(::String) && !(keys.size == 1 && keys[0].start_with?("$"))
    return "{\"$dict\":#{list(keys.zip(value.values), depth)}}" unless named

    "{#{keys.zip(value.values).map { |key, item| "#{text(key)}:#{encode(item, depth)}" }.join(",")}}"
  end

  def self.encode(value, depth = DEEPEST)
    ::Kernel.raise ::RangeError, "the value is nested too deeply" if depth.zero?
    case value
    when nil then "null"
    when true then "true"
    when false then "false"
    when ::Integer then value.bit_length > 2000 ? "{\"$int\":\"#{value.negative? ? "-" : ""}0x#{value.abs.to_s(16)}\"}" : value.to_s
    when ::Float then number(value)
    when ::Rational then number(value.to_f)
    when ::Complex then "{\"$complex\":[#{encode(value.real)},#{encode(value.imaginary)}]}"
    when ::String then text(value)
    when ::Symbol then text(value.to_s)
    when ::Array then list(value, depth - 1)
    when ::Set then "{\"$set\":#{list(value.to_a, depth - 1)}}"
    when ::Hash then hash(value, depth - 1)
    when ::Range, ::Enumerator then list(value.to_a, depth - 1)
    else "{\"$opaque\":#{::JSON.generate(value.class.name.to_s)}}"
    end
  end

  def self.function(main, owner, made, name)
    unless owner.empty?
      whole = ::Object.const_get(owner.split(".").join("::"))
      return whole.new.method(name) if made

      return whole.respond_to?(name) ? whole.method(name) : whole.new.method(name)
    end
    return main.method(name) if main.respond_to?(name, true)

    ::Object.const_get("Solution").new.method(name)
  end

  def self.run(main, owner, made, name)
    request = ::JSON.parse(::IO.for_fd(3, "r").read, max_nesting: 1000)
    args = decode(request["args"])
    named = decode(request["kwargs"]).transform_keys(&:to_sym)
    value = function(main, owner, made, name).call(*args, **named)
    value = args[request["mutated"]] if request["mutated"]
    out = ::IO.for_fd(4, "w")
    out.write(encode(value) + "\n")
    out.flush
  end
end

ScaleBoxHarness.run(self, "@owner@", @made@, :@name@)
