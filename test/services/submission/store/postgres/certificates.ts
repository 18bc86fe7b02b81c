import { join } from 'node:path'
import type { Test } from 'tap'
import { asServer, createServerFolder } from '../../../../helpers/postgres/index.ts'
import { run } from '../../../../helpers/repository.ts'

/** Paths of a certificate and its key, which the database server can read. */
export interface Certificate {
  certificate: string
  key: string
}

/** Creates an authority that issues certificates, with `openssl` in a folder that is removed when the test ends. */
export async function createAuthority(t: Test) {
  const folder = await createServerFolder(t)
  const openssl = (...words: string[]) => run('openssl', words, { ...asServer, cwd: folder })

  async function create(name: string, ...extensions: string[]): Promise<Certificate> {
    const [certificate, key] = [join(folder, `${name}.crt`), join(folder, `${name}.key`)]
    const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-noenc', '-keyout', key]
    const added = extensions.flatMap(extension => ['-addext', extension])
    await openssl('req', '-x509', ...newKey, '-subj', `/CN=${name}`, '-out', certificate, ...added)
    return { certificate, key }
  }

  const authority = await create('authority')
  let issued = 0
  return {
    ...authority,
    /**
     * @param alternativeName subject alternative name, such as `DNS:localhost` or `IP:127.0.0.1`
     * @param days validity in days; negative for an expired certificate
     */
    async issue(alternativeName: string, days = 30): Promise<Certificate> {
      issued += 1
      const name = `subjectAltName=${alternativeName}`
      const server = await create(`server-${issued}`, name, 'authorityKeyIdentifier=none')
      const issuer = ['-CA', authority.certificate, '-CAkey', authority.key, '-set_serial', String(issued)]
      const file = server.certificate
      await openssl('x509', '-in', file, ...issuer, '-days', String(days), '-out', file)
      return server
    }
  }
}
