// The three names that .NET Core 3.1 asks of OpenSSL and that OpenSSL 3 tells otherwise; all others are found through this library.

extern int EVP_MD_get_size(const void *digest);
extern void ERR_new(void);
extern void ERR_set_debug(const char *file, int line, const char *function);
extern void ERR_set_error(int library, int reason, const char *format, ...);
extern void *SSL_get1_peer_certificate(const void *connection);

int EVP_MD_size(const void *digest)
{
    return EVP_MD_get_size(digest);
}

void ERR_put_error(int library, int function, int reason, const char *file, int line)
{
    (void)function;
    ERR_new();
    ERR_set_debug(file, line, "");
    ERR_set_error(library, reason, 0);
}

void *SSL_get_peer_certificate(const void *connection)
{
    return SSL_get1_peer_certificate(connection);
}
