/* secret.c -- hashes texts with a key. */
#include "config.h"

#include "decoder/core/secret.h"

#include <string.h>

#define KEY_BYTES 32

static const struct {
  const char *name;
  const char *word; /* prefix of replaced texts */
} kinds[SECRETS] = {
  [SECRET_ARGS] = { "args", "arg" },         [SECRET_ENV] = { "env", "env" },
  [SECRET_MESSAGES] = { "messages", "msg" }, [SECRET_LABELS] = { "labels", "label" },
  [SECRET_NAMES] = { "names", "name" },      [SECRET_BYTES] = { "bytes", "" },
};

enum secret
secret_of_name (const char *name)
{
  unsigned i = 0;
  while (i < SECRETS && strcmp (name, kinds[i].name) != 0)
    i++;
  return (enum secret) i;
}

const char *
secret_name (enum secret secret)
{
  return kinds[secret].name;
}

const char *
secret_word (enum secret secret)
{
  return kinds[secret].word;
}

static GBytes *
random_key (void)
{
  guint32 words[KEY_BYTES / sizeof (guint32)];
  GRand *random = g_rand_new (); /* seeded from /dev/urandom */
  for (size_t i = 0; i < G_N_ELEMENTS (words); i++)
    words[i] = g_rand_int (random);
  g_rand_free (random);
  return g_bytes_new (words, sizeof words);
}

void
secrets_init (struct secrets *s, const char *key)
{
  *s = (struct secrets){ .key = key != NULL ? g_bytes_new (key, strlen (key)) : random_key () };
}

void
secrets_clear (struct secrets *s)
{
  g_bytes_unref (s->key);
}

void
secrets_hash (const struct secrets *s, const char *text, size_t length,
              uint8_t to[static SECRET_HASH_BYTES])
{
  uint8_t digest[32];
  gsize digest_length = sizeof digest, key_length;
  const guchar *key = g_bytes_get_data (s->key, &key_length);
  GHmac *hmac = g_hmac_new (G_CHECKSUM_SHA256, key, key_length);
  g_hmac_update (hmac, (const guchar *) text, (gssize) length);
  g_hmac_get_digest (hmac, digest, &digest_length);
  g_hmac_unref (hmac);
  memcpy (to, digest, SECRET_HASH_BYTES);
}

void
secrets_append (const struct secrets *s, GString *to, const char *word, const char *text,
                size_t length)
{
  uint8_t hash[SECRET_HASH_BYTES];
  if (length == 0)
    return;
  secrets_hash (s, text, length, hash);
  g_string_append (to, word);
  g_string_append_c (to, '-');
  for (size_t i = 0; i < SECRET_HASH_BYTES; i++)
    g_string_append_printf (to, "%02x", hash[i]);
}
