@program@
@close@
@tests@

if defined?(::Test::Unit::TestCase)
  ::Test::Unit::AutoRunner.need_auto_run = false
  require "test/unit/collector/descendant"
  require "test/unit/ui/console/testrunner"
  scalebox_tests = ::Test::Unit::Collector::Descendant.new.collect("tests")
  scalebox_result = ::Test::Unit::UI::Console::TestRunner.new(scalebox_tests, output_level: 0, output: $stderr).start
  unless scalebox_result.passed? && scalebox_result.run_count > 0 && scalebox_result.run_count == scalebox_result.pass_count
    ::IO.for_fd(4, "w").syswrite("failed\n") if scalebox_result.failure_count > 0
    ::Kernel.exit(1)
  end
elsif defined?(::Minitest)
  ::Kernel.abort("tests of minitest are not run")
end
::IO.for_fd(4, "w").syswrite(::IO.for_fd(3, "r").gets.chomp + "\n")
