import { signal, useSignal } from '@preact/signals'
import { indented } from '../code/indented.ts'
import { type Exchange, exchangeOf } from '../exchanges.ts'
import { CopyButton } from './copy-button.tsx'
import { Folded } from './folded.tsx'
import { Icon } from './icon.tsx'

const languages = ['curl', 'Client'] as const
type Language = (typeof languages)[number]

/** The selected language of all panels. */
const language = signal<Language>('curl')

const shownHeaders = ['content-type', 'retry-after', 'etag', 'age', 'x-request-id']

interface Props {
  /** The step that the code belongs to. */
  name: string
  curl: string
  client: string
  /** Matches the `METHOD path` whose response the step shows. */
  response: RegExp
}

/** Shows a step's request and response side by side. On a phone, both start collapsed into a single line. */
export function ExchangePanel({ name, curl, client, response }: Props) {
  const isOpen = useSignal(false)
  const id = `exchange-${name.toLowerCase()}`
  return (
    <div class="exchange" data-open={isOpen.value}>
      <button
        type="button"
        class="exchange-toggle link"
        aria-expanded={isOpen.value}
        aria-controls={id}
        onClick={() => {
          isOpen.value = !isOpen.value
        }}
      >
        <Icon name="chevron" />
        Request and response<span class="visually-hidden"> of {name}</span>
      </button>
      <div class="exchange-panes" id={id}>
        <RequestPane name={name} curl={curl} client={client} />
        <ResponsePane name={name} exchange={exchangeOf(response)} />
      </div>
    </div>
  )
}

function RequestPane({ name, curl, client }: Omit<Props, 'response'>) {
  const chosen = language.value
  const code = chosen === 'curl' ? curl : client
  return (
    <figure class="code" aria-label={`Request of ${name}`}>
      <div class="code-bar">
        <fieldset class="tabs" aria-label={`Language of ${name}`}>
          {languages.map(each => (
            <button
              key={each}
              type="button"
              aria-pressed={each === chosen}
              onClick={() => {
                language.value = each
              }}
            >
              {each}
            </button>
          ))}
        </fieldset>
        <CopyButton text={code} label={`Copy ${chosen === 'curl' ? 'curl' : 'client code'} of ${name}`} />
      </div>
      <Folded key={chosen} code={code} of={`the request of ${name}`} />
    </figure>
  )
}

function ResponsePane({ name, exchange }: { name: string; exchange: Exchange | undefined }) {
  const { status, statusText, ms, headers, body = '' } = exchange ?? {}
  const type = headers?.get('content-type') ?? ''
  const code = type.startsWith('application/json') ? indented(body) : body.trimEnd()
  return (
    <figure class="code" aria-label={`Response of ${name}`}>
      <div class="code-bar">
        <p class="code-name">
          {exchange === undefined && 'No response yet'}
          {exchange !== undefined && status === undefined && 'Waiting for the response'}
          {status !== undefined && (
            <>
              <b class="status" data-ok={status < 400}>
                {status} {statusText}
              </b>{' '}
              {ms} ms
            </>
          )}
        </p>
        {code !== '' && <CopyButton text={code} label={`Copy the response of ${name}`} />}
      </div>
      {headers !== undefined && (
        <dl class="headers">
          {shownHeaders
            .filter(header => headers.has(header))
            .map(header => (
              <div key={header}>
                <dt>{header}</dt>
                <dd>{headers.get(header)}</dd>
              </div>
            ))}
        </dl>
      )}
      {code !== '' && (
        <Folded code={code} of={`the response of ${name}`} showsEnd={type.startsWith('text/event-stream')} />
      )}
    </figure>
  )
}
