import { isIP } from 'node:net'
import rateLimit, { normalizeIP } from '@fastify/rate-limit'
import type { FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { ServiceError } from '../../services/errors/index.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Marks a route for load balancers and monitoring, which has its own rate limit. */
    isProbe?: true
  }
  interface FastifyInstance {
    /** Counts a request against its client's limit. @throws ServiceError `RATE_LIMITED` or `QUOTA_EXCEEDED` */
    countRequest(request: FastifyRequest): Promise<void>
  }
  interface FastifyRequest {
    /**
     * The client to charge: an IPv4 address or an IPv6 /64 network, a caller, or both for a key that pages carry
     * (interface 14.10, 14.13, 24.4).
     */
    readonly client: string
    /** The client's address, as the trusted proxies report it. */
    address: string
    /** Whether a rate limit has counted the request. */
    isCounted: boolean
  }
}

/** Matches an address with a port, or an IPv6 address in brackets, as some proxies send them. */
const WITH_PORT = /^(?:\[([^\]]+)\]|(\d+(?:\.\d+){3}))(?::\d+)?$/

/** The last characters of X-Forwarded-For to parse (interface 14.13). Ten addresses are shorter. */
const MAX_FORWARDED = 512

/**
 * Limits the request rate of each client, also for unknown routes (interface 14.9, 14.10). A route opts out with
 * `config: { rateLimit: false }`.
 */
export default fp(
  async app => {
    const { RATE_LIMIT_MAX } = app.config
    app.decorateRequest('address', '')
    app.decorateRequest('isCounted', false)
    app.decorateRequest('client', {
      getter() {
        if (this.caller === undefined) return networkOf(this)
        const { name, isOfPages } = this.caller
        return isOfPages ? `caller ${name} ${networkOf(this)}` : `caller ${name}`
      }
    })
    await app.register(rateLimit, {
      global: false,
      timeWindow: 60_000,
      max: ({ caller }: FastifyRequest) => caller?.quota ?? RATE_LIMIT_MAX,
      keyGenerator: request => `${kindOf(request)} ${request.client}`
    })
    const count = app.createRateLimit()
    app.decorate('countRequest', async request => {
      const limit = await count(request)
      if (!limit.isAllowed && limit.isExceeded) throw refusal(request, limit.ttlInSeconds)
      request.isCounted = true
    })
    app.addHook('onRequest', (request, _reply, done) => {
      const { headers } = request.raw
      const forwarded = headers['x-forwarded-for']
      if (forwarded !== undefined) headers['x-forwarded-for'] = String(forwarded).slice(-MAX_FORWARDED)
      if (request.routeOptions.config.rateLimit === false) return done()
      // Read `request.ip` only once, because each use parses all addresses.
      request.address = request.ip
      app.countRequest(request).then(() => done(), done)
    })
  },
  // Load after `cors`, so that pages from listed origins can read a rejection.
  { name: 'rate-limit', dependencies: ['callers', 'cors'] }
)

/**
 * Returns the limit to count a request against. Cross-site requests have their own limit, because any page can make its
 * visitors' browsers send requests without a key and, for images, frames and links, without `Origin`. Probes have their
 * own limit too, because load balancers might share addresses with clients.
 */
function kindOf({ caller, isForeign, headers, routeOptions }: FastifyRequest): string {
  if (caller) return 'client'
  const isCrossSite = headers.origin === undefined && headers['sec-fetch-site'] === 'cross-site'
  if (isForeign || isCrossSite) return 'foreign'
  return routeOptions.config.isProbe ? 'probe' : 'client'
}

/** Returns an IPv4 address or an IPv6 /64 network. Uses the connection's address if the given one is malformed. */
function networkOf({ address, socket }: FastifyRequest): string {
  const [, bracketed, dotted] = WITH_PORT.exec(address) ?? []
  const plain = bracketed ?? dotted ?? address
  return normalizeIP(isIP(plain) === 0 ? (socket.remoteAddress ?? '') : plain)
}

function refusal({ caller }: FastifyRequest, seconds: number): ServiceError {
  const headers = { 'retry-after': String(seconds) }
  const message = `try again in ${seconds} seconds`
  return caller
    ? new ServiceError('QUOTA_EXCEEDED', `${caller.name} has used its quota; ${message}`, { headers })
    : new ServiceError('RATE_LIMITED', `Too many requests; ${message}`, { headers })
}
