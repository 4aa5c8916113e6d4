-- Run the test code that follows the program and prove that it came to its end; luaunit's tests are run by the harness, not by an exit.
local scalebox_finish = (function(open, exit, require)
    local here, unit = pcall(require, "luaunit")
    local new, used = here and unit.LuaUnit.new, false
    if here then
        package.loaded["luaunit"] = nil
        package.preload["luaunit"] = function()
            used = true
            return unit
        end
    end
    local function put(text)
        local out = open("/dev/fd/4", "w")
        out:write(text)
        out:close()
    end
    return function(found)
        if used or found ~= nil then
            local runner = new()
            runner:setOutputType("nil")
            local bad = runner:runSuite("--output", "nil")
            if bad ~= 0 and runner.result.failureCount > 0 then put("failed\n") end
            if bad ~= 0 or found ~= unit or runner.result.runCount == 0 then exit(1) end
        end
        local token = open("/dev/fd/3"):read("l")
        put(token .. "\n")
    end
end)(io.open, os.exit, require)
@program@
@close@
@tests@

scalebox_finish(package.loaded["luaunit"])
