import { isIP } from 'node:net'
import { compile } from '@fastify/proxy-addr'

/** Shared address space (RFC 6598), which overlay networks use, besides the ranges that are private by their names. */
const isPrivate = compile(['loopback', 'linklocal', 'uniquelocal', '100.64.0.0/10'])

/** Names that the public DNS does not have: those without a dot, and those of local networks and orchestrators. */
const LOCAL_NAME = /^[^.]*$|\.(localhost|local|internal|intranet|lan|home\.arpa|svc)$/

/** @param host a name, or an address with or without brackets */
export function isPublicHost(host: string): boolean {
  const bare = host
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '')
    .toLowerCase()
  return isIP(bare) === 0 ? !LOCAL_NAME.test(bare) : !isPrivate(bare, 0)
}
