import { Scenarios } from './parts/scenarios.tsx'
import { StepNavigation } from './parts/step-navigation.tsx'
import { ThemeToggle } from './parts/theme-toggle.tsx'
import { baseUrl } from './service.ts'
import { environment } from './state/catalogue.ts'
import { ApprovalStep } from './steps/approval-step.tsx'
import { QuoteStep } from './steps/quote-step.tsx'
import { StatusStep } from './steps/status-step.tsx'
import { SubmissionStep } from './steps/submission-step.tsx'
import { TransferStep } from './steps/transfer-step.tsx'
import { WholeScript } from './steps/whole-script.tsx'

/** Renders the page. */
export function Page() {
  const { env, backendVersion } = environment.value ?? {}
  return (
    <>
      <a class="skip" href="#transfer">
        Skip to the steps
      </a>
      <header class="top">
        <div class="top-in">
          <p class="name">
            Transaction back end <span class="badge">Playground</span>
          </p>
          <StepNavigation />
          <p class="top-links">
            <a href={`${baseUrl}/docs`}>API docs</a>
            <ThemeToggle />
          </p>
        </div>
      </header>
      <main>
        <div class="hero">
          <h1>From a quote to a completed transfer</h1>
          <p>
            Walk through the client flow against this server, <code>{baseUrl}</code>. Each step shows its
            request and the response.
          </p>
          <Scenarios />
        </div>
        <TransferStep />
        <QuoteStep />
        <ApprovalStep />
        <SubmissionStep />
        <StatusStep />
        <WholeScript />
      </main>
      <footer>
        <p class="foot">
          {env !== undefined && <span>Networks: {env}</span>}
          {backendVersion !== undefined && <span>Version {backendVersion}</span>}
          <a href={`${baseUrl}/docs/json`}>OpenAPI document</a>
        </p>
      </footer>
    </>
  )
}
