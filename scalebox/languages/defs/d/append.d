@program@
@close@
@tests@

pragma(mangle, "write") extern (C) private ptrdiff_t scalebox_put(int, const(void)*, size_t);
pragma(mangle, "read") extern (C) private ptrdiff_t scalebox_get(int, void*, size_t);

void main()
{
    try
    {
        scalebox_tests();
    }
    catch (Error error)
    {
        import core.exception : AssertError;

        if (cast(AssertError) error)
            scalebox_put(4, "failed\n".ptr, 7);
        throw error;
    }
    char[257] token;
    ptrdiff_t count = scalebox_get(3, token.ptr, 256), size = 0;
    while (size < count && token[size] != '\n')
        ++size;
    token[size++] = '\n';
    scalebox_put(4, token.ptr, size);
}
