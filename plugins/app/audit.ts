import { statSync } from 'node:fs'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { onceAMinute } from '../../services/async/once-a-minute.ts'
import { boundedLines } from '../../services/audit/bounded.ts'
import type { AuditEntry } from '../../services/audit/index.ts'
import { ServiceError } from '../../services/errors/index.ts'
import { OTHERS_WRITE } from '../../services/named-file.ts'
import { version } from '../../services/version.ts'

/** What the server did, or with a request what its caller did. */
type ServerEntry = Omit<AuditEntry, 'actor'> & { request?: FastifyRequest }

declare module 'fastify' {
  interface FastifyInstance {
    /** Writes a line to the audit log, where there is one. A line that cannot be written is an error in the log. */
    audit(entry: ServerEntry): Promise<void>
  }
}

function toEntry({ request, ...entry }: ServerEntry): AuditEntry {
  if (request === undefined) return { actor: 'server', ...entry }
  const actor = request.caller ? `caller ${request.caller.name}` : 'public'
  return { actor, ...entry, details: { requestId: request.id, ...entry.details } }
}

/** The chain of the store, or of a node while the store has none; null when neither has answered. */
async function chainIdOf({ store, chainClient }: FastifyInstance): Promise<string | null> {
  const known = (await store.signer()) ?? (await chainClient.status().catch(() => undefined))
  return known?.chainId ?? null
}

/** The audit log of the server, where SERVICE_AUDIT_FILE names one (interface 25.1). */
export default fp(
  async app => {
    const { SERVICE_AUDIT_FILE: path, ...settings } = app.config
    if (path === undefined) {
      app.decorate('audit', async () => {})
      return
    }
    // Loads the lock only where it is used.
    const { createAuditLog } = await import('../../services/audit/index.ts')
    const log = createAuditLog(path)
    const failed = onceAMinute<unknown>((lines, err) =>
      app.log.error({ err, lines }, 'lines of the audit log could not be written')
    )
    const record = (entry: AuditEntry) => log.append(entry).catch(failed)
    app.decorate('audit', entry => record(toEntry(entry)))

    let isStarted = false
    // Before the engine starts, which depends on this. A server whose start cannot be recorded does not start.
    app.addHook('onReady', async () => {
      const wallet = app.signer.address
      const details = { version, wallet, chainId: await chainIdOf(app), settings }
      await log.append({ actor: 'server', action: 'start', outcome: 'done', details })
      isStarted = true
      if ((statSync(path).mode & OTHERS_WRITE) !== 0) {
        app.log.warn({ variable: 'SERVICE_AUDIT_FILE' }, 'everybody can write the audit log')
      }
    })
    const refusals = boundedLines(record)
    app.addHook('onError', async (request, _reply, error) => {
      if (!(error instanceof ServiceError) || error.code !== 'APPROVAL_INVALID') return
      const { message } = error
      await refusals.append(
        toEntry({ request, action: 'approval', outcome: 'refused', details: { message } })
      )
    })
    app.addHook('onClose', async () => {
      await refusals.close()
      if (isStarted) await record({ actor: 'server', action: 'stop', outcome: 'done' })
    })
  },
  { name: 'audit' }
)
