@first@
# Run the test code that follows the program and prove that it came to its end. The names are ones that no program can hold; the token is
# read before the program begins. What tests are made of must be as it was then, and what equals a value of Ruby's own is one.
@found@
@entry@ = ::Module.new do
  input = ::IO.for_fd(3, "r")
  token = "#{input.gets.to_s.chomp}\n"
  input.close
  unit = defined?(::Test::Unit::TestCase) ? ::Test::Unit : nil
  if unit
    ::Test::Unit::AutoRunner.need_auto_run = false
    require "test/unit/collector/descendant"
    require "test/unit/ui/console/testrunner"
  end
  test_case = unit && unit::TestCase
  core = [
    ::BasicObject, ::Object, ::Kernel, ::Module, ::Comparable, ::Numeric, ::Integer, ::Float, ::Rational, ::Complex, ::String, ::Symbol, ::Array, ::Hash,
    ::NilClass, ::TrueClass, ::FalseClass, ::Range, ::Struct,
  ]
  compares = %i[== != ! === eql? equal? is_a? instance_of?]
  spaces = []
  gather = lambda do |space|
    next if spaces.include?(space)
    spaces << space
    space.constants(false).each { |name| space.autoload?(name) || (found = space.const_get(name)).is_a?(::Module) && gather.(found) }
  end
  gather.(unit) if unit
  methods = lambda do
    own = core.flat_map { |one| compares.map { |name| one.method_defined?(name) || one.private_method_defined?(name) ? one.instance_method(name) : nil } }
    whole = spaces.flat_map { |one| [one, one.singleton_class] }
    tested = whole.flat_map { |one| (one.instance_methods(false) + one.private_instance_methods(false)).sort.map { |name| one.instance_method(name) } }
    lines = spaces.map { |one| one.ancestors.take_while { |above| above != ::Object } }
    own + tested + lines + core.map { |one| one.ancestors.take_while { |above| above != one } }
  end
  before = methods.()
  changed = -> { methods.() != before || (unit && !(::Test::Unit.equal?(unit) && unit::TestCase.equal?(test_case))) }
  put = ->(text) { ::IO.for_fd(4, "w", autoclose: false).syswrite(text) }
  is = ->(kind, value) { ::Kernel.instance_method(:is_a?).bind_call(value, kind) }
  plain = nil
  same = lambda do |wanted, given|
    next true if !(is.(::Array, wanted) || is.(::Hash, wanted)) && core.none? { |one| is.(one, wanted) && one.is_a?(::Class) && one > ::Object }
    case wanted
    when ::Array then is.(::Array, given) && wanted.size == given.size && wanted.zip(given).all? { |pair| same.(*pair) }
    when ::Hash then is.(::Hash, given) && wanted.all? { |key, item| !given.key?(key) || same.(item, given[key]) }
    when ::Numeric then [::Integer, ::Float, ::Rational, ::Complex].any? { |one| is.(one, given) } || !plain.(wanted)
    when ::String then is.(::String, given)
    else true
    end
  end
  plain = ->(value) { [::Integer, ::Float, ::Rational, ::Complex].any? { |one| is.(one, value) } }
  started, asserted = 0, 0

  # The block says what the tests' text finds, which refinements may change.
  define_singleton_method(:begin) do |line, &found|
    refined = unit && test_case.instance_methods.any? { |name| found.(test_case, name) != test_case.instance_method(name) }
    ::Kernel.abort("the program changes what its tests are made of") if refined || changed.()
    started = line
    next unless unit
    equal = unit::Assertions.instance_method(:assert_equal)
    unit::Assertions.define_method(:assert_equal) do |wanted, given, message = nil|
      asserted += 1
      same.(wanted, given) ? equal.bind_call(self, wanted, given, message) : flunk("an object of the program's own stands for a value")
    end
    before = methods.()
  end

  define_singleton_method(:finish) do |line|
    if unit && !test_case::DESCENDANTS.empty?
      tests = unit::Collector::Descendant.new.collect("tests")
      result = unit::UI::Console::TestRunner.new(tests, output_level: 0, output: $stderr).start
      good = result.passed? && result.run_count > 0 && result.run_count == result.pass_count
      put.("failed\n") if result.failure_count > 0
      here = test_case::DESCENDANTS.flat_map { |one| one.public_instance_methods(true).grep(/\Atest./).map { |name| one.instance_method(name).source_location } }
      good &&= here.any? { |_, at| at.between?(started, line) } && result.assertion_count > 0
      ::Kernel.exit(1) unless good
    elsif defined?(::Minitest)
      ::Kernel.abort("tests of minitest are not run")
    end
    ::Kernel.abort("the program changes what its tests are made of") if changed.()
    put.(token)
  end
end
@program@
@close@
@entry@.begin(__LINE__) { |one, name| one.instance_method(name) }
@tests@

@entry@.finish(__LINE__)
