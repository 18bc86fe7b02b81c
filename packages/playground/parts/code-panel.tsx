import { signal, useSignal } from '@preact/signals'
import { CodeText } from './code-text.tsx'
import { CopyButton } from './copy-button.tsx'

const languages = ['curl', 'Client'] as const
type Language = (typeof languages)[number]

/** One choice for all panels. */
const language = signal<Language>('curl')

interface Props {
  /** The step that the code belongs to. */
  name: string
  curl: string
  client: string
}

/** What the step does, as a command and as code with the client. On a narrow screen it is closed at first. */
export function CodePanel({ name, curl, client }: Props) {
  const chosen = language.value
  const code = chosen === 'curl' ? curl : client
  const id = `code-${name.toLowerCase().replaceAll(' ', '-')}`
  const isOpen = useSignal(false)
  return (
    <figure class="code" aria-label={`Code of ${name}`} data-open={isOpen.value}>
      <button
        type="button"
        class="code-toggle"
        aria-expanded={isOpen.value}
        onClick={() => {
          isOpen.value = !isOpen.value
        }}
      >
        {isOpen.value ? 'Hide the code' : 'Show the code'}
        <span class="visually-hidden"> of {name}</span>
      </button>
      <div class="code-bar">
        <div class="tabs" role="tablist" aria-label={`Language of ${name}`}>
          {languages.map(each => (
            <button
              key={each}
              type="button"
              role="tab"
              id={`${id}-${each}`}
              aria-selected={each === chosen}
              aria-controls={id}
              tabIndex={each === chosen ? 0 : -1}
              onClick={() => {
                language.value = each
              }}
              onKeyDown={event => moveTab(event)}
            >
              {each}
            </button>
          ))}
        </div>
        <CopyButton text={code} label={`Copy ${chosen === 'curl' ? 'curl' : 'client code'} of ${name}`} />
      </div>
      <div id={id} role="tabpanel" aria-labelledby={`${id}-${chosen}`}>
        <CodeText code={code} />
      </div>
    </figure>
  )
}

/** The arrow keys go from tab to tab, as in every list of tabs. */
function moveTab(event: KeyboardEvent & { currentTarget: HTMLElement }): void {
  if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return
  const { currentTarget: tab } = event
  const other = event.key === 'ArrowLeft' ? tab.previousElementSibling : tab.nextElementSibling
  if (!(other instanceof HTMLElement)) return
  other.click()
  other.focus()
}
