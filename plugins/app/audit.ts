import type { FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { type AuditEntry, appendAudit } from '../../services/audit/index.ts'
import { ServiceError } from '../../services/errors/index.ts'
import { version } from '../../services/version.ts'

/** So many refusals are recorded in a minute: anyone can cause them. */
const MOST_REFUSALS = 60
const MINUTE_MS = 60_000

declare module 'fastify' {
  interface FastifyInstance {
    /** Records what a caller did, where there is an audit log. */
    audit(request: FastifyRequest, action: string, outcome: string, details?: AuditEntry['details']): void
  }
}

const actorOf = ({ caller }: FastifyRequest) => (caller ? `caller ${caller.name}` : 'public')

/** The audit log of the server, where SERVICE_AUDIT_FILE names one (interface 25.1). */
export default fp(
  async app => {
    const { SERVICE_AUDIT_FILE: path, ...settings } = app.config
    if (path === undefined) {
      app.decorate('audit', () => {})
      return
    }
    let minute = 0
    let refusals = 0

    function record(entry: AuditEntry): void {
      try {
        appendAudit(path ?? '', entry)
      } catch (err) {
        app.log.error({ err, action: entry.action }, 'a line of the audit log could not be written')
      }
    }

    app.decorate('audit', (request, action, outcome, details = {}) =>
      record({ actor: actorOf(request), action, outcome, details: { requestId: request.id, ...details } })
    )
    // A server whose starts cannot be recorded does not start.
    appendAudit(path, { actor: 'server', action: 'start', outcome: 'done', details: { version, settings } })
    app.addHook('onClose', () => record({ actor: 'server', action: 'stop', outcome: 'done' }))
    app.addHook('onError', async (request, _reply, error) => {
      if (!(error instanceof ServiceError) || error.code !== 'APPROVAL_INVALID') return
      const now = Math.floor(Date.now() / MINUTE_MS)
      if (now !== minute) refusals = 0
      minute = now
      refusals += 1
      if (refusals > MOST_REFUSALS) return
      app.audit(request, 'approval', 'refused', { message: error.message })
    })
  },
  { name: 'audit' }
)
