import { signal } from '@preact/signals'
import { readable } from '../code/readable.ts'
import { exchangeOf } from '../exchanges.ts'
import { Code } from './code.tsx'

const languages = ['curl', 'Client'] as const
type Language = (typeof languages)[number]

/** The selected language of all panels. */
const language = signal<Language>('curl')

interface Props {
  /** The step that the code belongs to. */
  name: string
  curl: string
  client: string
  /** Matches the `METHOD path` whose response the step shows. */
  response: RegExp
}

/** Shows a step's request and response side by side, after a click on its line. */
export function ExchangePanel({ name, curl, client, response }: Props) {
  const { status, statusText, ms, type = '', body = '' } = exchangeOf(response) ?? {}
  return (
    <details class="fold">
      <summary>
        Request and response<span class="visually-hidden"> of {name}</span>{' '}
        {status !== undefined && (
          <span class="muted">
            <b class="status" data-ok={status < 400}>
              {status} {statusText}
            </b>{' '}
            {ms} ms
          </span>
        )}
      </summary>
      <div class="columns">
        <Code label={`Request of ${name}`} code={language.value === 'curl' ? curl : client}>
          <fieldset class="tabs" aria-label={`Language of ${name}`}>
            {languages.map(each => (
              <button
                key={each}
                type="button"
                aria-pressed={each === language.value}
                onClick={() => {
                  language.value = each
                }}
              >
                {each}
              </button>
            ))}
          </fieldset>
        </Code>
        <Code label={`Response of ${name}`} code={readable(type, body)}>
          <p class="code-name">{status === undefined ? 'No response yet' : type.split(';')[0]}</p>
        </Code>
      </div>
    </details>
  )
}
