import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import type { Language } from '../../src/text/say.ts';
import { CASES } from '../rules/cases.ts';
import { openHttpInbox, openMailInbox } from '../rules/inbox.ts';
import { rulesIn } from '../rules/languages.ts';
import { caseFile } from '../rules/promtool.ts';
import { run } from '../rules/run.ts';
import { ROOT, RULES_FILE, readRules, shippedText } from '../rules/shipped.ts';
import { startAlertmanager } from './alertmanager.ts';

/*
 * Alerts in each language: what Prometheus makes of the rules, and what Telegram gets from Alertmanager.
 */

const folder = mkdtempSync(join(tmpdir(), 'hoster-languages-'));
afterAll(() => rmSync(folder, { recursive: true }));

type Texts = {
  readonly outage: string;
  readonly carrier: string;
  readonly key: string;
  readonly since: string;
  readonly unknown: string;
  readonly page: readonly [first: string, command: string];
  readonly end: readonly [first: string, command: string];
};

/** An outage of a rack and of a carrier, a refused key; and the outage in Telegram, firing and resolved. */
const TEXTS: Readonly<Record<Exclude<Language, 'en'>, Texts>> = {
  uk: {
    outage: 'Збій: rack-01, телефонів офлайн: 4 непрод. і 36 прод.',
    carrier: 'Збій: carrier Kyivstar, телефонів офлайн: 2 непрод. і 30 прод.',
    key: 'API-ключ відхилено: акаунт a',
    since: 'з 1.01 00:04 UTC',
    unknown: 'закрито, причина невідома',
    page: ['[КРИТИЧНО]', 'Беру на себе: /ack_240_ccrack01'],
    end: ['[ЗАКРИТО]', 'Нотатки: /notes_240_ccrack01'],
  },
  ru: {
    outage: 'Сбой: rack-01, телефонов офлайн: 4 непрод. и 36 прод.',
    carrier: 'Сбой: carrier Kyivstar, телефонов офлайн: 2 непрод. и 30 прод.',
    key: 'API-ключ отклонён: аккаунт a',
    since: 'с 1.01 00:04 UTC',
    unknown: 'закрыто, причина неизвестна',
    page: ['[КРИТИЧНО]', 'Беру на себя: /ack_240_ccrack01'],
    end: ['[ЗАКРЫТО]', 'Заметки: /notes_240_ccrack01'],
  },
  es: {
    outage: 'Caída: rack-01, teléfonos sin conexión: 4 sin vender y 36 vendido(s)',
    carrier: 'Caída: carrier Kyivstar, teléfonos sin conexión: 2 sin vender y 30 vendido(s)',
    key: 'Clave de API rechazada: cuenta a',
    since: 'desde 1/01 00:04 UTC',
    unknown: 'resuelto, motivo desconocido',
    page: ['[CRÍTICO]', 'Me encargo: /ack_240_ccrack01'],
    end: ['[RESUELTO]', 'Notas: /notes_240_ccrack01'],
  },
  vi: {
    outage: 'Mất kết nối: rack-01, 4 chưa bán và 36 đã bán máy offline',
    carrier: 'Mất kết nối: carrier Kyivstar, 2 chưa bán và 30 đã bán máy offline',
    key: 'Khóa API bị từ chối: tài khoản a',
    since: 'từ 1/1 00:04 UTC',
    unknown: 'đã giải quyết, không rõ lý do',
    page: ['[NGHIÊM TRỌNG]', 'Nhận xử lý: /ack_240_ccrack01'],
    end: ['[ĐÃ XONG]', 'Ghi chú: /notes_240_ccrack01'],
  },
};

const { alerts } = readRules(shippedText(RULES_FILE));

/** The case of an alert, with what it says in a language, apart from its advice. */
function caseIn(rules: string, english: string, summary: string, { since, unknown }: Texts) {
  const found = CASES.find((each) => each.annotations['summary'] === english);
  if (found === undefined) throw new Error(`no case says ${english}`);
  const of = readRules(rules).alerts.filter(({ alert }) => alert === found.alert);
  const description = of[0]?.annotations.description ?? '';
  const annotations = { ...found.annotations, summary, description, since, over: unknown };
  const firing = of.slice(0, found.alert === 'HosterCommonCause' ? 2 : 1);
  return caseFile({ ...found, annotations }, firing);
}

/** Returns what Telegram gets of the outage, firing and resolved. */
async function sentIn(language: Language, { outage, since }: Texts): Promise<readonly string[]> {
  const inboxes = { http: await openHttpInbox(), mail: await openMailInbox() };
  const templates = join(ROOT, 'config/alertmanager/templates');
  const alertmanager = await startAlertmanager(join(folder, language), inboxes, (text) =>
    text
      .replace(`  - ${templates}/*.tmpl`, `$&\n  - ${templates}/${language}/*.tmpl`)
      .replaceAll('template "hoster.text"', 'template "hoster.telegram"')
      .replaceAll(/group_wait: \S+|group_interval: \S+/g, (setting) => `${setting.split(':')[0]}: 1s`),
  );
  const sent = () => inboxes.http.messages.filter(({ path }) => path.includes('sendMessage'));
  const rule = alerts.find(
    ({ alert, labels }) => alert === 'HosterCommonCause' && labels.severity === 'critical',
  );
  const labels = {
    alertname: 'HosterCommonCause',
    ...rule?.labels,
    account: 'default',
    kind: 'group',
    value: 'rack-01',
  };
  const annotations = { summary: outage, since, over: 'x', acknowledge: '240_ccrack01', description: 'x' };
  try {
    for (const ends of [false, true]) {
      const endsAt = ends ? { endsAt: new Date(systemClock.now()).toISOString() } : {};
      await fetch(`${alertmanager.url}/api/v2/alerts`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify([{ labels, annotations, ...endsAt }]),
      });
      for (let tries = 0; tries < 80 && sent().length < (ends ? 2 : 1); tries += 1) await wait(250);
    }
    return sent().map(({ body }) => String(JSON.parse(body).text));
  } finally {
    await alertmanager.stop();
    await Promise.all(Object.values(inboxes).map((inbox) => inbox.close()));
  }
}

describe.each(Object.entries(TEXTS) as readonly (readonly [Exclude<Language, 'en'>, Texts])[])(
  'alerts in the language %s',
  (language, texts) => {
    it('have the texts of its rules', async () => {
      const rules = rulesIn(language);
      writeFileSync(join(folder, 'rules.yml'), rules);
      const cases = [
        caseIn(rules, 'Outage: rack-01, 4 unsold and 36 sold phones offline', texts.outage, texts),
        caseIn(rules, 'Outage: carrier Kyivstar, 2 unsold and 30 sold phones offline', texts.carrier, texts),
        caseIn(rules, 'API key refused: account a', texts.key, texts),
      ];
      for (const [index, each] of cases.entries()) {
        const file = join(folder, `${index}.yml`);
        writeFileSync(file, JSON.stringify(each));
        expect((await run('promtool', ['test', 'rules', file])).said).toContain('SUCCESS');
      }
      // It has the lowest priority.
    }, 400_000);

    it('reach Telegram through Alertmanager', async () => {
      const [firing = '', resolved = ''] = await sentIn(language, texts);
      const lines = (text: string) => text.trimEnd().split('\n');
      expect([lines(firing)[0], lines(firing).at(-1)]).toEqual([
        `${texts.page[0]} ${texts.outage} ${texts.since}`,
        texts.page[1],
      ]);
      expect([lines(resolved)[0], lines(resolved).at(-1)]).toEqual([
        `${texts.end[0]} ${texts.outage}, x`,
        texts.end[1],
      ]);
    });
  },
);
