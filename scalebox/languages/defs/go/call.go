@program@

// Decode the arguments from descriptor 3 by the function's own types, call it and write its value to descriptor 4.
func scaleboxDecode(raw scaleboxJson.RawMessage, kind scaleboxReflect.Type) scaleboxReflect.Value {
	held := scaleboxReflect.New(kind)
	text := scaleboxStrings.TrimSpace(string(raw))
	switch kind.Kind() {
	case scaleboxReflect.Uint8, scaleboxReflect.Int32:
		if scaleboxStrings.HasPrefix(text, "\"") {
			var letters string
			scaleboxMust(scaleboxJson.Unmarshal(raw, &letters))
			runes := []rune(letters)
			if len(runes) != 1 {
				panic("an argument is no single character but its parameter is one")
			}
			held.Elem().Set(scaleboxReflect.ValueOf(runes[0]).Convert(kind))
			return held.Elem()
		}
	case scaleboxReflect.Slice, scaleboxReflect.Array:
		var items []scaleboxJson.RawMessage
		scaleboxMust(scaleboxJson.Unmarshal(scaleboxUntagged(raw), &items))
		made := held.Elem()
		if kind.Kind() == scaleboxReflect.Slice {
			made.Set(scaleboxReflect.MakeSlice(kind, len(items), len(items)))
		}
		for i, item := range items {
			made.Index(i).Set(scaleboxDecode(item, kind.Elem()))
		}
		return made
	case scaleboxReflect.Float64, scaleboxReflect.Float32:
		var tagged map[string]string
		if scaleboxStrings.HasPrefix(text, "{") {
			scaleboxMust(scaleboxJson.Unmarshal(raw, &tagged))
			infinite := map[string]float64{"nan": scaleboxMath.NaN(), "inf": scaleboxMath.Inf(1), "-inf": scaleboxMath.Inf(-1)}
			held.Elem().SetFloat(infinite[tagged["$float"]])
			return held.Elem()
		}
	}
	scaleboxMust(scaleboxJson.Unmarshal(raw, held.Interface()))
	return held.Elem()
}

// The array inside a $tuple or a $set.
func scaleboxUntagged(raw scaleboxJson.RawMessage) scaleboxJson.RawMessage {
	var tagged map[string]scaleboxJson.RawMessage
	if scaleboxJson.Unmarshal(raw, &tagged) == nil {
		for tag, inner := range tagged {
			if scaleboxStrings.HasPrefix(tag, "$") {
				return inner
			}
		}
	}
	return raw
}

func scaleboxMust(found error) {
	if found != nil {
		panic("an argument does not fit its parameter: " + found.Error())
	}
}

func scaleboxEncode(value scaleboxReflect.Value, depth int) string {
	if depth == 0 {
		panic("the value is nested too deeply")
	}
	switch value.Kind() {
	case scaleboxReflect.Invalid:
		return "null"
	case scaleboxReflect.Interface, scaleboxReflect.Pointer:
		if value.IsNil() {
			return "null"
		}
		return scaleboxEncode(value.Elem(), depth-1)
	case scaleboxReflect.Slice, scaleboxReflect.Array:
		parts := make([]string, value.Len())
		for i := range parts {
			parts[i] = scaleboxEncode(value.Index(i), depth-1)
		}
		return "[" + scaleboxStrings.Join(parts, ",") + "]"
	case scaleboxReflect.Map:
		parts := []string{}
		for _, key := range value.MapKeys() {
			parts = append(parts, "["+scaleboxEncode(key, depth-1)+","+scaleboxEncode(value.MapIndex(key), depth-1)+"]")
		}
		return "{\"$dict\":[" + scaleboxStrings.Join(parts, ",") + "]}"
	case scaleboxReflect.Float64, scaleboxReflect.Float32:
		number := value.Float()
		switch {
		case scaleboxMath.IsNaN(number):
			return "{\"$float\":\"nan\"}"
		case scaleboxMath.IsInf(number, 1):
			return "{\"$float\":\"inf\"}"
		case scaleboxMath.IsInf(number, -1):
			return "{\"$float\":\"-inf\"}"
		}
		text := scaleboxStrconv.FormatFloat(number, 'g', -1, value.Type().Bits())
		if !scaleboxStrings.ContainsAny(text, ".e") {
			text += ".0"
		}
		return text
	case scaleboxReflect.Int32: // a rune is nothing else
		return "{\"$letter\":" + scaleboxStrconv.FormatInt(value.Int(), 10) + "}"
	case scaleboxReflect.Uint8: // nor is a byte
		return "{\"$letter\":" + scaleboxStrconv.FormatUint(value.Uint(), 10) + "}"
	case scaleboxReflect.Int, scaleboxReflect.Int8, scaleboxReflect.Int16, scaleboxReflect.Int64:
		return scaleboxStrconv.FormatInt(value.Int(), 10)
	case scaleboxReflect.Uint, scaleboxReflect.Uint16, scaleboxReflect.Uint32, scaleboxReflect.Uint64:
		return scaleboxStrconv.FormatUint(value.Uint(), 10)
	case scaleboxReflect.Bool:
		return scaleboxStrconv.FormatBool(value.Bool())
	case scaleboxReflect.String:
		text, _ := scaleboxJson.Marshal(value.String())
		return string(text)
	case scaleboxReflect.Struct:
		parts := []string{}
		for i := 0; i < value.NumField(); i++ {
			name, _ := scaleboxJson.Marshal(value.Type().Field(i).Name)
			parts = append(parts, string(name)+":"+scaleboxEncode(value.Field(i), depth-1))
		}
		return "{" + scaleboxStrings.Join(parts, ",") + "}"
	}
	return "{\"$opaque\":\"" + value.Kind().String() + "\"}"
}

func main() {
	var request struct {
		Args    []scaleboxJson.RawMessage `json:"args"`
		Kwargs  map[string]any            `json:"kwargs"`
		Mutated *int                      `json:"mutated"`
	}
	scaleboxMust(scaleboxJson.NewDecoder(scaleboxOs.NewFile(3, "request")).Decode(&request))
	called := scaleboxReflect.ValueOf(@call@)
	kind := called.Type()
	if len(request.Kwargs) > 0 || kind.NumIn() != len(request.Args) || kind.IsVariadic() {
		panic("the function has other parameters than the case has arguments")
	}
	args := make([]scaleboxReflect.Value, len(request.Args))
	for i, raw := range request.Args {
		args[i] = scaleboxDecode(raw, kind.In(i))
	}
	values := called.Call(args)
	text := "null"
	switch {
	case request.Mutated != nil:
		text = scaleboxEncode(args[*request.Mutated], 200)
	case len(values) == 1:
		text = scaleboxEncode(values[0], 200)
	case len(values) > 1:
		parts := make([]string, len(values))
		for i, value := range values {
			parts[i] = scaleboxEncode(value, 200)
		}
		text = "[" + scaleboxStrings.Join(parts, ",") + "]"
	}
	scaleboxOs.NewFile(4, "value").WriteString(text + "\n")
}
