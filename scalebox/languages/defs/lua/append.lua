-- Run the test code that follows the program and prove that it came to its end. The names are ones that no program can hold; the token is
-- read before the program begins. The tests have Lua's library and luaunit as they were before the program, and their own instance of luaunit.
local @entry@ = (function(_G, type, next, rawset, setmetatable, find)
    local kept, library = {}, {}
    for name, item in next, _G do
        kept[name] = item
        if type(item) == "table" and item ~= _G and item ~= package and item ~= arg then
            library[item] = {}
            for key, value in next, item do library[item][key] = value end
        end
    end
    local open, exit, required = io.open, os.exit, require
    -- What shows one function the variables of another would show these, and luaunit's.
    for _, name in next, { "getlocal", "setlocal", "getupvalue", "setupvalue", "upvalueid", "upvaluejoin", "getregistry", "setmetatable", "sethook" } do
        rawset(debug, name, nil)
        library[debug][name] = nil
    end
    local input = open("/dev/fd/3")
    local token = input:read("l")
    input:close()
    local function put(text)
        local out = open("/dev/fd/4", "w")
        out:write(text)
        out:close()
    end

    local path = package.searchpath("luaunit", package.path)
    local world = {}
    for name, item in next, kept do
        world[name] = item
        if library[item] then
            world[name] = {}
            for key, value in next, library[item] do world[name][key] = value end
        end
    end
    world._G, world.arg = world, {}
    local unit = path and loadfile(path, "t", world)()
    local new, used = unit and unit.LuaUnit.new, false
    local shown = {}
    for name, item in next, unit or {} do
        if not find(name, "^[sS]uccess") and not find(name, "^[sS]kip") then shown[name] = item end
    end
    local face = setmetatable({}, { __index = shown, __newindex = function() end, __metatable = false })
    local before, count, ended = {}, 0, 0

    local function proved(test)
        count = count + 1
        return function(...)
            test(...)
            ended = ended + 1
        end
    end
    local function found()
        local tests = {}
        for name, item in next, _G do
            if type(name) == "string" and find(name, "^[Tt][Ee][Ss][Tt]") and before[name] ~= item then
                if type(item) == "function" then
                    tests[#tests + 1] = { name, proved(item) }
                elseif type(item) == "table" then
                    local class = setmetatable({}, { __index = item })
                    for key, method in next, item do
                        if type(key) == "string" and type(method) == "function" then class[key] = find(key, "^[Tt][Ee][Ss][Tt]") and proved(method) or method end
                    end
                    tests[#tests + 1] = { name, class }
                end
            end
        end
        return tests
    end
    return {
        world = _G,
        begin = function()
            setmetatable(_G, nil)
            for name, item in next, kept do
                if name ~= "@asked@" then _G[name] = item end
            end
            for item, names in next, library do
                setmetatable(item, nil)
                for key, value in next, names do item[key] = value end
            end
            for name, item in next, _G do before[name] = item end
            return function(name)
                if name ~= "luaunit" or not path then return required(name) end
                used = true
                return face
            end
        end,
        finish = function()
            if used then
                local tests, runner = found(), new()
                runner:setOutputType("nil")
                local bad = runner:runSuiteByInstances(tests)
                if bad ~= 0 and runner.result.failureCount > 0 then put("failed\n") end
                if bad ~= 0 or ended == 0 or ended ~= count then exit(1) end
            end
            put(token .. "\n")
        end,
    }
end)(_G, type, next, rawset, setmetatable, string.find)
@program@
@close@
do
local _ENV, require = @entry@.world, @entry@.begin()
@tests@

@entry@.finish()
end
