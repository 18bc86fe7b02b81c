import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Test } from 'tap'
import { run } from '../repository.ts'
import { asServer, createServerFolder } from './data-folder.ts'

/** Paths of a certificate and its key. The server can read both. */
export interface Certificate {
  certificate: string
  key: string
}

/** An authority that issues certificates for servers. */
export interface Authority extends Certificate {
  /**
   * @param alternativeName the host's, such as `DNS:localhost` or `IP:127.0.0.1`
   * @param days validity; negative for an expired certificate
   */
  issue(alternativeName: string, days?: number): Promise<Certificate>
}

/** Creates an authority with `openssl`, in a folder that is removed when the test ends. */
export async function createAuthority(t: Test): Promise<Authority> {
  const folder = await createServerFolder(t)
  const openssl = (...argv: string[]) => run('openssl', argv, { ...asServer, cwd: folder })
  const filesOf = (name: string): Certificate => ({
    certificate: join(folder, `${name}.crt`),
    key: join(folder, `${name}.key`)
  })

  async function newKey({ key }: Certificate): Promise<void> {
    await openssl('ecparam', '-genkey', '-noout', '-name', 'prime256v1', '-out', key)
  }

  const authority = filesOf('authority')
  await newKey(authority)
  const self = ['-new', '-x509', '-key', authority.key, '-out', authority.certificate]
  await openssl('req', ...self, '-subj', '/CN=authority', '-days', '30')

  let issued = 0
  return {
    ...authority,
    async issue(alternativeName, days = 30) {
      issued += 1
      const files = filesOf(`server-${issued}`)
      const request = join(folder, `server-${issued}.csr`)
      const extensions = join(folder, `server-${issued}.cnf`)
      await newKey(files)
      await openssl('req', '-new', '-key', files.key, '-subj', '/CN=server', '-out', request)
      await writeFile(extensions, `subjectAltName=${alternativeName}`)
      const issuer = ['-CA', authority.certificate, '-CAkey', authority.key, '-set_serial', String(issued)]
      const terms = ['-days', String(days), '-extfile', extensions]
      await openssl('x509', '-req', '-in', request, ...issuer, ...terms, '-out', files.certificate)
      return files
    }
  }
}
