import { usePageTitle } from '../../../ui/page-title.ts';
import { useThemeChoice } from '../../../ui/theme-changes.ts';
import { chooseTheme, themeChoices } from '../../../ui/theme.ts';
import { Announcer } from '../../../ui/announcer.tsx';
import { Toasts } from '../../../ui/toaster.tsx';
import { Choice } from '../../../ui/choice.tsx';
import { PageHeader } from '../../../ui/page-header.tsx';
import { Brand } from '../../../ui/brand.tsx';
import { Actions } from './actions.tsx';
import { Colours } from './colours.tsx';
import { Containers } from './containers.tsx';
import { Fields } from './fields.tsx';
import { Measures } from './measures.tsx';
import { Messages } from './messages.tsx';

/** Shows every control in every state. Only development builds include it (app/router.tsx). */
export function StyleguidePage() {
  usePageTitle('Styleguide');
  const theme = useThemeChoice();
  return (
    <div className="mx-auto max-w-[1120px] px-4 py-6 pb-24">
      <Brand />
      <main id="content" className="mt-6">
        <PageHeader
          title="Styleguide"
          action={
            <Choice
              legend="Theme"
              value={theme}
              options={themeChoices.map((value) => ({ value, text: value }))}
              onChange={chooseTheme}
            />
          }
        >
          Every control of web/src/ui, in every state it has.
        </PageHeader>
        <Colours />
        <Actions />
        <Fields />
        <Messages />
        <Measures />
        <Containers />
      </main>
      <Announcer />
      <Toasts />
    </div>
  );
}
