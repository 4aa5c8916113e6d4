-- Decode the arguments from descriptor 3, call the function that follows and write its value to descriptor 4.
local scalebox_call = (function(open, error, type, pairs, tostring, tonumber, string, math, table, unpack, setmetatable, utf8, rawlen, next)
    local byte, char, find, sub, format = string.byte, string.char, string.find, string.sub, string.format
    local mathtype, concat, floor = math.type, table.concat, math.floor
    local ESCAPES = { b = "\b", f = "\f", n = "\n", r = "\r", t = "\t" }
    local value

    local function blank(text, at) return find(text, "[^ \t\r\n]", at) end

    local function str(text, at)
        local parts = {}
        at = at + 1
        while true do
            local stop = find(text, '["\\]', at)
            parts[#parts + 1] = sub(text, at, stop - 1)
            if byte(text, stop) == 34 then return concat(parts), stop + 1 end
            local mark = sub(text, stop + 1, stop + 1)
            at = stop + 2
            if mark == "u" then
                local code = tonumber(sub(text, at, at + 3), 16)
                at = at + 4
                if code >= 0xD800 and code < 0xDC00 and sub(text, at, at + 1) == "\\u" then
                    code = 0x10000 + (code - 0xD800) * 1024 + tonumber(sub(text, at + 2, at + 5), 16) - 0xDC00
                    at = at + 6
                end
                parts[#parts + 1] = utf8.char(code)
            else
                parts[#parts + 1] = ESCAPES[mark] or mark
            end
        end
    end

    local function tagged(tag, inner)
        if tag == "$float" then return inner == "nan" and 0 / 0 or inner == "inf" and math.huge or -math.huge end
        if tag == "$tuple" or tag == "$set" or tag == "$frozenset" then return inner end
        if tag == "$dict" then
            local made = {}
            for i = 1, #inner do made[inner[i][1]] = inner[i][2] end
            return made
        end
        error("an argument is a " .. sub(tag, 2) .. ", which Lua has not")
    end

    local function list(text, at)
        local made, count = {}, 0
        at = blank(text, at + 1)
        if sub(text, at, at) == "]" then return made, at + 1 end
        while true do
            local item
            item, at = value(text, at)
            count = count + 1
            made[count] = item
            at = blank(text, at)
            if sub(text, at, at) == "]" then return made, at + 1 end
            at = at + 1
        end
    end

    local function object(text, at)
        local made, last, count = {}, nil, 0
        at = blank(text, at + 1)
        if sub(text, at, at) == "}" then return made, at + 1 end
        while true do
            local name, item
            name, at = str(text, blank(text, at))
            at = blank(text, at)
            item, at = value(text, at + 1)
            made[name], last, count = item, name, count + 1
            at = blank(text, at)
            if sub(text, at, at) == "}" then break end
            at = at + 1
        end
        if count == 1 and sub(last, 1, 1) == "$" then made = tagged(last, made[last]) end
        return made, at + 1
    end

    function value(text, at)
        at = blank(text, at)
        local mark = sub(text, at, at)
        if mark == '"' then return str(text, at) end
        if mark == "[" then return list(text, at) end
        if mark == "{" then return object(text, at) end
        if mark == "t" then return true, at + 4 end
        if mark == "f" then return false, at + 5 end
        if mark == "n" then return nil, at + 4 end
        local _, stop = find(text, "^[-+.%deE]+", at)
        return tonumber(sub(text, at, stop)), stop + 1
    end

    local function quoted(text)
        if not utf8.len(text) then
            local codes = {}
            for i = 1, #text do codes[i] = format("\\u%04x", byte(text, i)) end
            return '"' .. concat(codes) .. '"'
        end
        return '"' .. string.gsub(text, '[%c"\\\127]', function(c) return format("\\u%04x", byte(c)) end) .. '"'
    end

    local function number(found)
        if mathtype(found) == "integer" then return format("%d", found) end
        if found ~= found then return '{"$float":"nan"}' end
        if found == math.huge or found == -math.huge then return found > 0 and '{"$float":"inf"}' or '{"$float":"-inf"}' end
        local text = format("%.15g", found)
        if tonumber(text) ~= found then text = format("%.17g", found) end
        return find(text, "[.e]") and text or text .. ".0"
    end

    local function encode(found, depth)
        local kind = type(found)
        if kind == "nil" then return "null" end
        if kind == "boolean" then return found and "true" or "false" end
        if kind == "number" then return number(found) end
        if kind == "string" then return quoted(found) end
        if kind ~= "table" then return '{"$opaque":"' .. kind .. '"}' end
        if depth == 0 then error("the value is nested too deeply") end
        local count, length, named = 0, rawlen(found), true
        for key in next, found do
            count = count + 1
            named = named and type(key) == "string"
        end
        local parts = {}
        if count == length then
            for i = 1, length do parts[i] = encode(found[i], depth - 1) end
            return '{"$list1":[' .. concat(parts, ",") .. "]}"
        end
        if named and count == 1 and sub((next(found)), 1, 1) == "$" then named = false end
        for key, item in next, found do
            if named then
                parts[#parts + 1] = quoted(key) .. ":" .. encode(item, depth - 1)
            else
                parts[#parts + 1] = "[" .. encode(key, depth - 1) .. "," .. encode(item, depth - 1) .. "]"
            end
        end
        return named and "{" .. concat(parts, ",") .. "}" or '{"$dict":[' .. concat(parts, ",") .. "]}"
    end

    return function(called, name, arity)
        local request = value(open("/dev/fd/3"):read("a"), 1)
        if next(request.kwargs) ~= nil then error("functions of Lua take no arguments by name") end
        if type(called) == "nil" then error("the program defines no function " .. name) end
        local args = request.args
        local result = called(unpack(args, 1, arity))
        if request.mutated then result = args[request.mutated + 1] end
        local out = open("/dev/fd/4", "w")
        out:write(encode(result, 200), "\n")
        out:close()
    end
end)(io.open, error, type, pairs, tostring, tonumber, string, math, table, table.unpack, setmetatable, utf8, rawlen, next)
@program@

scalebox_call(@call@, "@name@", @arity@)
