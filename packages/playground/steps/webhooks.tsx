import { Code } from '../parts/code.tsx'
import { baseUrl } from '../service.ts'
import { received, webhooksOf } from '../state/webhooks.ts'

/** Shows the transfer's webhooks in order of arrival. */
export function Webhooks({ txId }: { txId: number | undefined }) {
  const webhooks = webhooksOf(txId)
  return (
    <section class="webhooks" aria-labelledby="webhooks-title">
      <h3 id="webhooks-title">Webhooks</h3>
      {webhooks.length === 0 && (
        <p class="hint">
          {received.value?.isReceiving === false ? (
            <>
              This server sends no webhooks to this page. Set <code>SERVICE_WEBHOOK_URL</code> to{' '}
              <code class="address">{baseUrl}/playground/webhooks</code> to see them.
            </>
          ) : (
            'The service sends one when the chain has executed the submission, and one when the transfer is final.'
          )}
        </p>
      )}
      <ol>
        {webhooks.map(({ id, receivedAt, event }) => (
          <li key={id}>
            <details class="fold">
              <summary>
                <code>{event.type}</code>{' '}
                <time class="muted">{new Date(receivedAt).toLocaleTimeString()}</time>
              </summary>
              <Code label={`Webhook ${event.type}`} code={JSON.stringify(event, null, 2)}>
                <p class="code-name">webhook-id: {id}</p>
              </Code>
            </details>
          </li>
        ))}
      </ol>
    </section>
  )
}
