import { isIP } from 'node:net'
import { compile } from '@fastify/proxy-addr'

/** The named private ranges, and the shared address space (RFC 6598), which overlay networks use. */
const isPrivate = compile(['loopback', 'linklocal', 'uniquelocal', '100.64.0.0/10'])

/** Names outside the public DNS: those without a dot, and those of local networks and orchestrators. */
const LOCAL_NAME = /^[^.]*$|\.(localhost|local|internal|intranet|lan|home\.arpa|svc)$/

/** @param host a name, or an address with or without brackets */
export function isPublicHost(host: string): boolean {
  const bare = host
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '')
    .toLowerCase()
  return isIP(bare) === 0 ? !LOCAL_NAME.test(bare) : !isPrivate(bare, 0)
}
