# Ukrainian. No native speaker has read this catalog yet.
#
# $-variables are what the program fills in. Names of phones, groups, accounts and people are text by others and stay as they are.

## fleet: problems of phones

problem-sold_offline = Проданий, офлайн
problem-sold_offline-meaning = За цей телефон платить клієнт, а він офлайн.
problem-sold_offline-advice = Перевірте живлення, мобільний інтернет і застосунок: що довше він офлайн, то більше повернення коштів.
problem-self_rented_offline = Власна оренда, офлайн
problem-self_rented_offline-meaning = Ви платите за цю оренду, а телефон офлайн.
problem-self_rented_offline-advice = Перевірте живлення, мобільний інтернет і застосунок або завершіть оренду.
problem-tunnel_missing = Немає тунелю
problem-tunnel_missing-meaning = Ви орендуєте цей телефон, але тунелю немає, тож користуватися ним не можна.
problem-tunnel_missing-advice = Створіть тунель у панелі хостера або завершіть оренду.
problem-tunnel_down = Тунель не працює
problem-tunnel_down-meaning = Ви орендуєте цей телефон. Він на зв’язку, але його тунель не працює.
problem-tunnel_down-advice = Перезапустіть застосунок. Якщо не працює багато тунелів, причина, ймовірно, у маркетплейсі.
problem-tunnel_without_login = Тунель без логіна
problem-tunnel_without_login-meaning = Ви орендуєте цей телефон. Його тунель працює, але активного логіна немає.
problem-tunnel_without_login-advice = Створіть логін у панелі хостера.
problem-offline = Офлайн
problem-offline-meaning = Сигналу немає довше, ніж зазвичай. Доки він не з’явиться, телефон ніхто не зможе орендувати.
problem-offline-advice = Перевірте живлення, мобільний інтернет і застосунок.
problem-heartbeat_unreadable = Немає сигналу
problem-heartbeat_unreadable-meaning = Маркетплейс не повідомляє, коли цей телефон востаннє був на зв’язку.
problem-heartbeat_unreadable-advice = Перевірте його в панелі хостера й перезапустіть застосунок.
problem-rotation_stopped = Ротація зупинилася
problem-rotation_stopped-meaning = Ротація IP була увімкнена й зупинилася.
problem-rotation_stopped-advice = Увімкніть її знову, якщо не вимкнули її самі.
problem-not_set_up = Не налаштований
problem-not_set_up-meaning = Налаштування не завершене, тому його ніхто не може орендувати.
problem-not_set_up-advice = Завершіть налаштування в панелі хостера або архівуйте телефон.
problem-not_listed = На зв’язку, не виставлений
problem-not_listed-meaning = Він на зв’язку й простоює, але не виставлений, тому його ніхто не може орендувати.
problem-not_listed-advice = Виставте його на маркетплейсі.
problem-idle_too_long = Давно не орендують
problem-idle_too_long-meaning = Він виставлений, але його давно ніхто не орендував (problems.idle_after).
problem-idle_too_long-advice = Порівняйте його з орендованими телефонами тієї ж моделі в тому самому місці.
problem-given_up = Давно офлайн
problem-given_up-meaning = Його ніхто не орендує, і він давно офлайн (problems.given_up_after).
problem-given_up-advice = Відремонтуйте або архівуйте його.
problem-in_maintenance = На обслуговуванні
problem-in_maintenance-meaning = Сповіщення про цей телефон вимкнено.
problem-in_maintenance-advice = Коли закінчите, завершіть обслуговування.
no-problems = Проблем немає

## fleet: incidents that are no problem of a single phone, and how incidents end

incident-flapping = То офлайн, то на зв’язку
incident-credential_changed = Логін змінено
incident-left = Більше немає на маркетплейсі
incident-earns_nothing = Не приносить доходу
incident-common_cause = Збій
incident-many_sold_offline = Масовий збій проданих телефонів
incident-many_offline = Масовий збій
incident-many_left = Багатьох телефонів більше немає на маркетплейсі
incident-many_credentials_changed = Логіни змінено на багатьох тунелях
incident-key_refused = API-ключ відхилено
incident-api_unavailable = API маркетплейсу недоступний
incident-api_degraded = Дані маркетплейсу неповні
incident-tunnels_unreadable = Дані тунелів недоступні
incident-balance_unreadable = Баланс недоступний
incident-balance_low = Низький баланс

end-back = знову на зв’язку
end-left = зник зі списку пристроїв
end-returned = знову в списку
end-rented = вже орендований
end-rental_ended = оренду завершено
end-given_up = покинутий
end-not_set_up = більше не налаштований
end-offline = офлайн сам телефон
end-works_again = знову працює
end-readable = дані знову є
end-mended = виправлено
end-answers_again = знову відповідає
end-key_taken = ключ прийнято
end-paid_in = поповнено
end-limit_removed = поріг знято
end-calm = знову стабільно
end-notified = разова подія
end-maintenance = на обслуговуванні
end-limit_changed = поріг змінено
end-clock_set = годинник ішов неправильно
end-account_removed = акаунт видалено
# $reason is one of the messages above, such as "rented now".
end-still-offline = { $reason }, досі офлайн

## fleet: statuses of phones, rentals and tunnels, in small letters

status-sold = проданий
status-self_rented = власна оренда
status-idle = простоює
status-other = інше
status-listed = виставлений
status-not_listed = не виставлений
status-awaiting_device_details = очікує на дані
status-awaiting_agent = очікує на агента
status-active = активно
status-draft = чернетка
status-incomplete = не завершено
status-complete = завершено
status-enabled = увімкнено
status-disabled = вимкнено
status-stopped = зупинено
status-paused = призупинено
status-up = працює
status-down = не працює
status-none = немає
status-unknown = невідомо
status-sold_online = проданий, на зв’язку
status-sold_offline = проданий, офлайн
status-maintenance = обслуговування
status-rotation_stopped = ротація зупинилася
status-not_set_up = не налаштований
status-idle_too_long = давно простоює
status-given_up = покинутий

## fleet: phones and their numbers

phones =
    { $count ->
        [one] { $count } телефон
        [few] { $count } телефони
        [many] { $count } телефонів
       *[other] { $count } телефона
    }
count-sold = продано: { $count }
count-not-set-up = не налаштовано: { $count }
# Phones whose alerts are muted, because somebody works on them.
count-muted = на обслуговуванні: { $count }
# Such as "9 of 12 phones offline".
count-offline-of =
    { $all ->
        [one] { $offline } із { $all } телефона офлайн
        [few] { $offline } із { $all } телефонів офлайн
        [many] { $offline } із { $all } телефонів офлайн
       *[other] { $offline } із { $all } телефона офлайн
    }
group = Група
# Such as "12 phones, 11 online, 4 sold".
group-counts =
    { $count ->
        [one] { $count } телефон, на зв’язку: { $online }, продано: { $sold }
        [few] { $count } телефони, на зв’язку: { $online }, продано: { $sold }
        [many] { $count } телефонів, на зв’язку: { $online }, продано: { $sold }
       *[other] { $count } телефона, на зв’язку: { $online }, продано: { $sold }
    }
all-phones = усі телефони
all-phones-of = усі телефони ({ $account })
no-group = без групи
several-groups = кілька груп
unnamed = без назви
mute-2h = Без сповіщень 2 год
mute-back = Без сповіщень до повернення на зв’язок
# Why the exporter refused a change.
not-changed = Нічого не змінено: { $reason }
# A phone or a group with its account, where there are several accounts.
name-of = { $name } ({ $account })
# A group that several accounts have.
name-of-all-accounts = { $name } (усі акаунти)
# The rest of a list.
and-more = і ще { $count }
no-phones = Телефонів немає. Це правильний API-ключ?
no-phones-in = Телефонів немає ({ $names }). Це правильний API-ключ?

## fleet: outages

place-tunnel_host = хост тунелів { $value }
place-account = акаунт { $value }
place-app_version = версія застосунку { $value }
place-model = модель { $value }
cause-advice-group = Перевірте живлення та інтернет у цій групі.
cause-advice-tunnel_host = Імовірно, не працює хост проксі.
cause-advice-account = Перевірте інтернет на майданчику або зверніться до підтримки маркетплейсу.
cause-advice-app_version = Імовірна причина — оновлення застосунку.
cause-advice-model = Імовірна причина — дефект цієї моделі.
cause-advice-other = Перевірте, що ще в них спільного.
cause-within = Вони перейшли в офлайн з різницею не більше ніж { $span }.
cause-others =
    { $count ->
        [0] Більше жоден телефон у цей час в офлайн не перейшов.
        [one] У цей час в офлайн перейшов ще { $count } телефон.
        [few] У цей час в офлайн перейшли ще { $count } телефони.
        [many] У цей час в офлайн перейшли ще { $count } телефонів.
       *[other] У цей час в офлайн перейшли ще { $count } телефона.
    }
cost-per-hour = близько { $amount } за годину (оцінка)
acknowledged-at = у роботі з { $time }
acknowledged-by = { $person } займається цим з { $time }

## fleet: times

seconds = { $count } с
minutes = { $count } хв
hours = { $count } год
days = { $count } д
since = з { $time }
more-than = понад { $duration }
unknown-time = невідомо коли
offline-after = Офлайн після { $limit } без сигналу.
offline-after-beats =
    { $beats ->
        [one] Зазвичай сигнал надходить раз на { $usual }; поспіль можна пропустити { $beats } сигнал.
        [few] Зазвичай сигнал надходить раз на { $usual }; поспіль можна пропустити { $beats } сигнали.
        [many] Зазвичай сигнал надходить раз на { $usual }; поспіль можна пропустити { $beats } сигналів.
       *[other] Зазвичай сигнал надходить раз на { $usual }; поспіль можна пропустити { $beats } сигналу.
    }
offline-after-longest =
    { $days ->
        [one] Найдовша звичайна перерва за { $days } день: { $longest }.
        [few] Найдовша звичайна перерва за { $days } дні: { $longest }.
        [many] Найдовша звичайна перерва за { $days } днів: { $longest }.
       *[other] Найдовша звичайна перерва за { $days } дня: { $longest }.
    }
offline-after-excused = Не враховано: { $span }, коли маркетплейс не відповідав.

## fleet: the age of the data

state-fresh = Актуально
state-stale = Не оновлюється
state-expired = Застаріло
data-some-accounts = { $state } (акаунти: { $affected } із { $all })
data-waiting = Очікування експортера
data-unreachable = Експортер недоступний
data-loading = Завантаження
data-first-poll = Очікування першого опитування
data-none = Даних ще немає
# The age of the data, such as "3 min old".
data-age = давність { $age }
data-age-none = ще немає
# The age, and why the data is not fresh.
data-text = Дані: { $text }.
# Before something that was true at that time.
as-of = Станом на { $time }:
unknown-too-old = невідомо, бо дані застарілі
unknown-no-data = невідомо, бо даних ще немає

# What the exporter has done. A time may follow, as in message "since".
request-no-response = Він не відповідає
request-login = Він вимагає входу
request-foreign = Замість нього відповідає сторінка входу або інший сервер
request-upgraded = Він працює в новій версії
request-status = Він відповідає кодом { $status }
next-keeps-trying = Сторінка продовжує спроби.
next-waiting = Сторінка чекає на відповідь.
next-log-in = Перезавантажте цю сторінку, щоб увійти.
next-may-log-in = Перезавантажте цю сторінку: можливо, доведеться увійти.
next-reload = Перезавантажте цю сторінку.

notice-settings = Деякі налаштування проігноровано
notice-files = Деякі файли не можна використати
notice-in-the-log = { " " }у журналі експортера
notice-page-without-data = На сторінці ще немає даних.
notice-data-from = Показано дані на { $time } ({ $age } тому).
notice-data-age = Показано дані, отримані { $age } тому.
notice-waiting-since = Немає даних від експортера з { $time }
notice-unreachable = Експортер недоступний
notice-learning = До { $time } вивчаємо, як часто надходять сигнали ваших телефонів
notice-learning-text = Спочатку телефон вважається офлайн після 10 хвилин без сигналу; згодом — після 3–30 хвилин, залежно від телефона. Сповіщення про телефони офлайн, збої, відхилений ключ і маркетплейс, що не відповідає, ви отримуєте вже зараз.
notice-phones-at = Показано стан телефонів на { $time }.
notice-key-retry = До того експортер пробує поточний ключ кожні 5 хв.
notice-back = Маркетплейс знову працює. Телефони мають вийти на зв’язок до { $time }
notice-back-text = Під час збою вони не могли надсилати сигнал. До того часу вони не вважаються офлайн.
notice-no-poll = Відтоді жодне опитування не завершилося.
notice-retrying = Повторна спроба раз на { $interval }.
news-devices-since = Немає даних від маркетплейсу з { $time }
news-devices-yet = Даних від маркетплейсу ще немає
news-tunnels-since = Немає даних про тунелі з { $time }
news-tunnels-yet = Даних про тунелі ще немає
news-balance-since = Немає даних про баланс з { $time }
news-balance-yet = Даних про баланс ще немає
# $title is one of the messages above.
news-not-phones = { $title }: справа не у ваших телефонах

access-missing_key = Маркетплейс не отримав ключа (MISSING_API_KEY): можливо, його прибрав проксі.
access-invalid_key = Маркетплейс відхиляє ключ (INVALID_API_KEY): він неправильний або акаунт заблоковано.
access-suspended = Акаунт заблоковано або ключ неправильний (HOSTER_BANNED): що саме, видно в панелі хостера.
access-denied = Маркетплейс відхиляє ключ.
key-file-of-systemd = файл, який служба systemd завантажує через LoadCredential
key-environment = середовище експортера
key-without-phones = Для ключа ({ $place }) за адресою { $address } немає телефонів.
key-new-variable = Задайте новий ключ ({ $place }) і перезапустіть експортер.
key-new-systemd = Запишіть новий ключ ({ $place }) і виконайте: { $command }.
key-new-service = Запишіть новий ключ ({ $place }) і перезапустіть службу.
key-new-file = Запишіть новий ключ ({ $place }). Його буде використано під час наступного опитування, без перезапуску.

failure-dns = Не вдалося знайти адресу хоста з api_url. Перевірте його написання та DNS цієї машини.
failure-connect = Не вдалося підключитися. Перевірте api_url, брандмауер і чи працює API.
failure-reset = З’єднання обірвалося до відповіді. Якщо це триває, зверніться до підтримки маркетплейсу.
failure-timeout = Відповідь надходила надто довго. Якщо це триває, збільште client.timeout.
failure-tls = Помилка TLS-рукостискання. Перевірте хост і порт в api_url, годинник і client.ca_file, якщо він використовується.
failure-redirect = API перенаправив запит. Перенаправлення не виконуються, бо передали б ключ. Якщо нова адреса — це API, впишіть її в api_url. Це може бути й сторінка входу цієї мережі.
failure-edge_block = Запит відхилив проксі перед API або ця мережа. Запитайте в підтримки маркетплейсу, чи не заблоковано вашу адресу.
failure-envelope = Відповідь не є об’єктом JSON із success і data. Перевірте, що api_url — базова адреса API і що ця мережа не вимагає входу.
failure-encoding = Відповідь не в UTF-8 або має невідоме стиснення. Перевірте, чи не змінює відповіді проксі.
failure-truncated = Відповідь обірвалася. Якщо це триває, зверніться до підтримки маркетплейсу.
failure-too_large = Відповідь завелика. Перевірте, що api_url — базова адреса API.
failure-schema = Дані не відповідають документації API. Можливо, API змінився: пошукайте новішу версію.
failure-unauthorized = Ключа немає, він недійсний або акаунт заблоковано. Перевірте і ключ, і акаунт.
failure-throttled = Забагато запитів. Опитуйте рідше або зменште client.concurrency.
failure-server = Помилка API (код 5xx). Якщо це триває, зверніться до підтримки маркетплейсу.
failure-not_found = За цією адресою API не знайдено. Перевірте, що api_url — його базова адреса.
failure-bad_request = API відхилив запит. Можливо, він змінився: пошукайте новішу версію.
failure-inconsistent = Дані суперечливі. Якщо це триває, зверніться до підтримки маркетплейсу.
failure-internal = Це помилка в hoster-exporter. Будь ласка, повідомте про неї.

## features/incidents

incidents-total = усього
incidents-none = Інцидентів немає
incidents-last-days =
    { $days ->
        [one] За { $days } день
        [few] За { $days } дні
        [many] За { $days } днів
       *[other] За { $days } дня
    }
incidents-since = З { $time } (раніших даних немає)
incidents-count =
    { $count ->
        [one] { $count } інцидент
        [few] { $count } інциденти
        [many] { $count } інцидентів
       *[other] { $count } інциденту
    }
incidents-outages =
    { $count ->
        [one] { $count } збій
        [few] { $count } збої
        [many] { $count } збоїв
       *[other] { $count } збою
    }
incidents-open = відкрито: { $count }
incidents-more-open = і ще відкритих: { $count }
incidents-median-acknowledge = медіанний час реакції { $duration }
incidents-median-repair = медіанний час відновлення { $duration }
incidents-longest = найдовший { $duration }
incidents-week-none = { $period }: інцидентів немає.
incidents-week-before =
    { $count ->
        [one] Тиждень перед тим: { $count } інцидент.
        [few] Тиждень перед тим: { $count } інциденти.
        [many] Тиждень перед тим: { $count } інцидентів.
       *[other] Тиждень перед тим: { $count } інциденту.
    }
incidents-days-before = Попередні 31 день: { $numbers }.
# Places, each with its sold time offline.
incidents-worst = Найгірші: { $names }.
incidents-worst-phones = Телефони: { $names }.
# $time is such as "3 h 10 min (about €2.50, estimated), before: 1 h".
incidents-sold-time = Проданий час офлайн: { $time }.
incidents-sold-cost = (близько { $amount }, оцінка)
incidents-before = раніше: { $duration }
incidents-balance = Зміни балансу за спостереженнями: +{ $in }, −{ $out }.
incidents-failed = Не вдалося завантажити інциденти: { $reason }
incidents-nobody-any-more = Цим більше ніхто не займається.
incidents-nobody = Цим ніхто не займається.
incidents-is-on-it = { $person } займається цим.
incidents-has-been-on-it = { $person } займається цим з { $time }.
incidents-somebody = Хтось
incidents-noted-saved = Нотатку збережено.
incidents-noted-corrected = Нотатку виправлено.
incidents-noted-removed = Нотатку видалено.
incidents-note-gone = Цієї нотатки вже немає.
incidents-note-length = у нотатці може бути від 1 до { $max } знаків, а в цій { $count }
incidents-no-phone = Немає телефона з таким ID або міткою.
incidents-several-phones =
    { $count ->
        [one] Таку назву має { $count } телефон: вкажіть ID або додайте account.
        [few] Таку назву мають { $count } телефони: вкажіть ID або додайте account.
        [many] Таку назву мають { $count } телефонів: вкажіть ID або додайте account.
       *[other] Таку назву мають { $count } телефона: вкажіть ID або додайте account.
    }
incidents-not-open = Цей інцидент не відкритий: можливо, його вже закрито.
incidents-no-such-id = Немає інциденту з таким ID.
incidents-several-accounts = Інцидент із таким ID є в кількох акаунтах: додайте акаунт.
incidents-other-version = Експортер має іншу версію інцидентів

## features/incidents/chat.ts

incidents-log-command = Інциденти за 31 день, спершу відкриті: /log, /log rack-03
incidents-ack-command = Беру на себе: /ack показує відкриті інциденти
incidents-note-command = Нотатка про телефон: /note rack-03/slot-04 здулася батарея; або відповідь на сповіщення
incidents-notes-command = Нотатки: /notes, /notes rack-03
incidents-no-such-code = Немає інциденту з таким номером.
incidents-not-about = Це повідомлення не про відкритий інцидент. Список: /ack.
incidents-none-called = Немає відкритого інциденту з назвою { $name }. Список: /ack.
incidents-which = Який берете на себе?
incidents-free = Цими ще ніхто не займається. Який берете на себе?
incidents-which-note = Якого з них стосується нотатка?
incidents-is-it-this-phone = Нотатка про цей телефон?
incidents-no-subject = Нічого не збережено: це повідомлення не про телефон і не про інцидент. Дайте відповідь на сповіщення або напишіть /note rack-03/slot-04 і нотатку.
incidents-edit-note = Щоб виправити її, відредагуйте своє повідомлення.
incidents-not-corrected = Нотатку не змінено. Щоб перенести її до іншого телефона, видаліть її та напишіть знову.
incidents-nothing-to-mute = Тут немає телефонів, для яких можна вимкнути сповіщення.
incidents-mute-phones = вимкнути сповіщення про ці телефони?
incidents-none-known = Про відкриті інциденти нічого не відомо. Дані: { $text }.
incidents-none-open = Відкритих інцидентів немає.
incidents-all-acknowledged = Усі відкриті інциденти вже в роботі.
incidents-take-it-back = Відмовитися
incidents-on-it = Беру на себе: { $name }
incidents-mute = Без сповіщень: { $name }
incidents-name-since = { $name } з { $time }
# How an incident ended, before the time.
incidents-label-resolved = { $name }, закрито { $time }
incidents-label-muted = { $name }, на обслуговуванні з { $time }
incidents-label-changed = { $name }, змінено { $time }
incidents-ended-resolved = { $name } — закрито { $time }{ $why }.
incidents-ended-muted = { $name } — сповіщення вимкнено { $time }{ $why }.
incidents-ended-changed = { $name } — завершено { $time }{ $why }.
incidents-goes-on = Триває як { $name }: { $command }
incidents-note-after-name = Напишіть нотатку після назви: /note rack-03/slot-04 здулася батарея
incidents-note-after-command = Напишіть нотатку після команди або просто у відповідь на це повідомлення.
incidents-remove-it = Видалити
incidents-remove-text = Видалити: { $text }
incidents-note = Нотатка: { $text }
incidents-no-notes = Нотаток немає.

## features/maintenance

maintenance-unknown-account = Невідомий акаунт «{ $name }».
maintenance-unknown-group = Невідома група «{ $name }».
maintenance-unknown-phone = Невідомий телефон «{ $name }».
maintenance-known = Відомі: { $names }.
maintenance-did-you-mean = Можливо, «{ $name }»?
maintenance-counts =
    { $count ->
        [one] { $count } телефон, офлайн: { $offline }
        [few] { $count } телефони, офлайн: { $offline }
        [many] { $count } телефонів, офлайн: { $offline }
       *[other] { $count } телефона, офлайн: { $offline }
    }
maintenance-by = автор: { $person }
# $until is one of the messages below, such as "until 23:28".
maintenance-muted = { $name }: без сповіщень { $until } ({ $counts })
maintenance-muted-by = { $name }: без сповіщень { $until }, автор: { $person } ({ $counts })
maintenance-until = до { $time }
maintenance-until-back = до повернення кожного телефона на зв’язок, щонайпізніше до { $time }
maintenance-until-gone-and-back = до переходу кожного телефона в офлайн і повернення на зв’язок, щонайпізніше до { $time }
maintenance-none = На обслуговуванні немає жодного телефона.
maintenance-list = На обслуговуванні:
maintenance-ended = Обслуговування завершено: { $name }.
maintenance-none-offline =
    { $count ->
        [one] { $count } телефон, офлайн немає
        [few] { $count } телефони, офлайн немає
        [many] { $count } телефонів, офлайн немає
       *[other] { $count } телефона, офлайн немає
    }
maintenance-back =
    { $all ->
        [one] { $back } із { $all } телефона знову на зв’язку
        [few] { $back } із { $all } телефонів знову на зв’язку
        [many] { $back } із { $all } телефонів знову на зв’язку
       *[other] { $back } із { $all } телефона знову на зв’язку
    }
maintenance-still-offline = Офлайн: { $names }.
# In that list.
maintenance-phone-since = { $name } з { $time }
maintenance-extended = подовжено
maintenance-ended-now = Обслуговування завершено.
maintenance-stays =
    { $count ->
        [one] { $count } телефон лишається на обслуговуванні ({ $name }) до { $time }.
        [few] { $count } телефони лишаються на обслуговуванні ({ $name }) до { $time }.
        [many] { $count } телефонів лишаються на обслуговуванні ({ $name }) до { $time }.
       *[other] { $count } телефона лишаються на обслуговуванні ({ $name }) до { $time }.
    }
maintenance-then-notified = Якщо телефони досі офлайн, ви отримаєте сповіщення.
maintenance-then-notified-others = Якщо інші телефони досі офлайн, ви отримаєте сповіщення.

## features/maintenance/chat.ts

maintenance-command = Вимкнути сповіщення: /maintenance rack-03 2h переїзд; без параметрів — список
maintenance-back-command = Завершити обслуговування: /back rack-03, /back all
maintenance-phone-offline = На обслуговуванні { $details }. Офлайн з { $time }
maintenance-phone-online = На обслуговуванні { $details }. На зв’язку
maintenance-group = На обслуговуванні { $details }.
maintenance-group-some =
    { $all ->
        [one] На обслуговуванні: { $count } із { $all } телефона, { $details }.
        [few] На обслуговуванні: { $count } із { $all } телефонів, { $details }.
        [many] На обслуговуванні: { $count } із { $all } телефонів, { $details }.
       *[other] На обслуговуванні: { $count } із { $all } телефона, { $details }.
    }
maintenance-how-long = На який час? Від однієї хвилини до 30 днів, наприклад 2h.
maintenance-time-hint = Напишіть час, наприклад 2h, 90 min, 18:00 або back.
maintenance-has-no-phones = { $name }: телефонів немає.
maintenance-yes = Так
maintenance-no = Ні
maintenance-none-offline-now =
    { $count ->
        [one] { $count } телефон, зараз офлайн немає
        [few] { $count } телефони, зараз офлайн немає
        [many] { $count } телефонів, зараз офлайн немає
       *[other] { $count } телефона, зараз офлайн немає
    }
maintenance-already = уже на обслуговуванні: { $count }
maintenance-because = Причина: { $reason }.
maintenance-will-be-muted = Сповіщення про них буде вимкнено.
maintenance-until-when = До якого часу?
maintenance-is-that-right = Усе правильно?
maintenance-nothing-to-end = Обслуговування, яке можна завершити, немає.
maintenance-none-matches = Немає обслуговування за запитом { $name }. Зараз на обслуговуванні:
maintenance-end-question = Завершити? Якщо телефони досі офлайн, ви одразу отримаєте сповіщення.
maintenance-end-all-question = Завершити всі? Якщо телефони досі офлайн, ви одразу отримаєте сповіщення.
maintenance-end-it = Завершити
maintenance-end-all = Завершити всі
maintenance-which = Яке обслуговування завершити?
maintenance-already-ended = Це обслуговування вже завершено.
maintenance-may-be-saved = Можливо, зміну застосовано: перевірте через /maintenance.
maintenance-not-changed = Нічого не змінено.
maintenance-not-the-exporter = Відповів не експортер.
maintenance-started = Обслуговування розпочато. { $name }: { $text }. Завершити: /back.

## features/month

month-summary =
    { $interruptions ->
        [one] Продано { $sold } часу, доступність за проданий час { $available }, { $interruptions } переривання.
        [few] Продано { $sold } часу, доступність за проданий час { $available }, { $interruptions } переривання.
        [many] Продано { $sold } часу, доступність за проданий час { $available }, { $interruptions } переривань.
       *[other] Продано { $sold } часу, доступність за проданий час { $available }, { $interruptions } переривання.
    }
month-offline = Продано й офлайн: { $hours }.
month-offline-cost = Продано й офлайн: { $hours }, близько { $amount }.
month-muted = Офлайн на обслуговуванні: { $hours }.
month-costly-cost = { $name } ({ $hours }, близько { $amount })
month-costly-none = Жоден проданий телефон не був офлайн годину чи довше.
month-costly = Найбільше проданого часу втрачено: { $names }.
month-no-data = { $month }: даних ще немає.
month-none-of = немає даних за { $month }
month-no-group = { $month }: немає групи з назвою { $name }.
month-no-report = Звіту немає: { $reason }

## features/month/chat.ts

month-command = Місячний звіт: /month, /month racks, /month 2026-10 rack-03
month-not-a-month = { $month } — це не місяць на зразок 2026-10.
month-other-version = Експортер має іншу версію звіту
month-csv-semicolon = CSV з ;
month-csv-comma = CSV з ,
month-file = { $month }: один рядок на кожен телефон.

## features/page

page-fleet = Ферма
page-sections = Розділи
page-guide = Довідка
page-guide-title = Довідка: проблеми та що робити
page-guide-text = Кожен квадрат — це телефон, колір показує найдорожчу його проблему. Якщо оновлення не надходять, ви бачите останні дані, які згодом сіріють. Натисніть / для пошуку; стрілками можна переходити між телефонами групи. Дані цієї сторінки описано в docs/API.md, усі метрики — у docs/METRICS.md.
page-licences = Ліцензії програм на цій сторінці
page-language = Мова
page-skip = Перейти до телефонів
page-metrics = Метрики
page-health = Стан
page-newer = Експортер новіший за цю сторінку
page-newer-text = Сторінка перезавантажиться сама, коли ніхто не вводитиме текст. Якщо це повідомлення не зникає, перезавантажте її.
page-failed = На цій сторінці сталася помилка
page-failed-text = { $title } ({ $reason }). Перезавантажте її або відкрийте
# $parts are what could not be shown, in the words of the next messages.
page-failed-parts = Не показано: { $parts }. Решта нижче. Перезавантажте сторінку; якщо не допоможе, див. JSON.
page-part-failed = «{ $name }» не вдається показати ({ $reason }). На решту сторінки це не впливає. Перезавантажте сторінку або скористайтеся новішим браузером.
page-part-age = давність даних
page-part-phones = телефони
page-part-accounts = акаунти
page-part-attention = що потребує уваги
page-part-sentence = підсумкова фраза
page-part-links = посилання
page-part-zone = часовий пояс
page-part-version = версія
page-unknown = Невідомо
page-top = Шапка
page-totals = Підсумки
page-phones = Телефони
page-activity = Активність
page-count-of = { $count } із { $all }
page-times-in = час: { $zone }
page-loading = Завантаження…
page-close = Закрити
page-cancel = Скасувати
page-save = Зберегти
page-not-saved = Не вдалося зберегти:
page-request-failed = експортер недоступний. { $what }. { $next }
page-try-again = Спробуйте ще раз.
page-status = код { $status }

# The sentence at the top.
page-attention =
    { $count ->
        [one] { $count } телефон потребує уваги
        [few] { $count } телефони потребують уваги
        [many] { $count } телефонів потребують уваги
       *[other] { $count } телефона потребують уваги
    }
page-attention-more =
    { $count ->
        [one] ще { $count } телефон потребує уваги
        [few] ще { $count } телефони потребують уваги
        [many] ще { $count } телефонів потребують уваги
       *[other] ще { $count } телефона потребують уваги
    }
# After one of them, where all are in one group.
page-in = у групі { $group }
page-outages =
    { $count ->
        [1] Збій: { $names }
        [one] Збої: { $names }
        [few] Збої: { $names }
        [many] Збої: { $names }
       *[other] Збої: { $names }
    }
page-first-since = перший із { $time }
page-sold-offline =
    { $count ->
        [one] { $count } проданий телефон офлайн
        [few] { $count } продані телефони офлайн
        [many] { $count } проданих телефонів офлайн
       *[other] { $count } проданого телефона офлайн
    }
page-all-online =
    { $count ->
        [1] Телефон на зв’язку
        [one] Усі { $count } телефон на зв’язку
        [few] Усі { $count } телефони на зв’язку
        [many] Усі { $count } телефонів на зв’язку
       *[other] Усі { $count } телефона на зв’язку
    }
page-online =
    { $all ->
        [one] На зв’язку { $online } із { $all } телефона, ніщо не потребує уваги
        [few] На зв’язку { $online } із { $all } телефонів, ніщо не потребує уваги
        [many] На зв’язку { $online } із { $all } телефонів, ніщо не потребує уваги
       *[other] На зв’язку { $online } із { $all } телефона, ніщо не потребує уваги
    }
page-no-data-yet = Даних ще немає.
page-no-problems-at = Станом на { $time } проблем немає. Відтоді даних немає.
page-no-problems-so-far = Поки що проблем немає. Після збою телефони ще можуть бути офлайн.
page-none-in-service = Немає телефонів в експлуатації
page-nothing-then = Тоді ніщо не потребувало уваги.
page-last-known = За останніми даними: { $title }.
# What happened before, such as "rack-03 was offline 12:17–12:29, 2 sold phones."
page-was-offline = { $name }: офлайн { $span }
page-were-offline = { $name }: офлайн { $span }
page-sold-phones =
    { $count ->
        [one] { $count } проданий телефон
        [few] { $count } продані телефони
        [many] { $count } проданих телефонів
       *[other] { $count } проданого телефона
    }
page-other-outages =
    { $count ->
        [one] і ще { $count } збій
        [few] і ще { $count } збої
        [many] і ще { $count } збоїв
       *[other] і ще { $count } збою
    }
page-no-recent-alerts = Останнім часом сповіщень не було.
page-last-alert = Останнє сповіщення: { $what }, { $span }.
page-at = Станом на { $time }

# The wall: what a square shows, in small letters.
cell-sold_offline = проданий, офлайн
cell-rented_away = власна оренда, офлайн або без тунелю
cell-offline = офлайн
cell-muted = на обслуговуванні
cell-sold = проданий
cell-self_rented = власна оренда
cell-idle = простоює
cell-off = не використовується
page-legend = Легенда
page-all = Усі телефони
page-no-group = Без групи
page-bar = Телефони: { $name }
page-card-attention =
    { $count ->
        [one] { $count } із { $all } потребує уваги
        [few] { $count } із { $all } потребують уваги
        [many] { $count } із { $all } потребують уваги
       *[other] { $count } із { $all } потребують уваги
    }
page-card-ok = у нормі: { $count }
page-card-off = не використовуються: { $count }
page-card-muted-offline = з них офлайн: { $count }

page-needs-attention = Потребує уваги
page-more-phones = і ще { $count } (Телефони)
page-for = уже { $duration }
page-mute = Без сповіщень…
page-on-it = Беру на себе
page-take-back = Відмовитися

page-balance = Доступний баланс
page-no-data = немає даних
page-of-phones =
    { $count ->
        [one] із { $count } телефона
        [few] із { $count } телефонів
        [many] із { $count } телефонів
       *[other] із { $count } телефона
    }
page-of-accounts = (акаунти: { $known }/{ $all })
page-count-offline = офлайн: { $count }
page-observed = Зміни за спостереженнями, не виписка з рахунку.
page-as-of = Станом на { $time }.
page-set-currency = Валюту не налаштовано: задайте HOSTER_CURRENCY або accounts[].currency у файлі конфігурації.
page-today = { $amount } сьогодні
page-out-today = { $amount } списано сьогодні
page-this-month = { $amount } цього місяця
page-since-day = { $amount } з { $day }
page-pending = { $amount } в очікуванні

page-removed = Зникли за останні 24 години
page-removed-text = Більше немає в списку пристроїв: архівовано або втрачено. Маркетплейс не повідомляє, що саме.
page-was-offline-then = був офлайн
page-was-online-then = був на зв’язку
page-more-json = і ще { $count } (JSON)
page-rentals = Оренди й нові телефони
event-rental_begun = Оренду розпочато
event-rental_ended = Оренду завершено
event-device_joined = Новий телефон

# The table of all phones, the search, and the filters.
page-table = Усі телефони таблицею
page-no-phones = Немає телефонів для показу.
page-none-matches = Жоден телефон не відповідає фільтрам.
page-previous = Попередні { $count }
page-next = Наступні { $count }
page-range = { $from }–{ $to } із { $all }
page-search = Пошук: мітка, ID, модель…
page-search-phones = Пошук телефонів
page-show = Показати
page-any-problem = Будь-яка проблема
page-state = Стан
page-clear = Очистити
page-account = Акаунт
page-all-accounts = Усі акаунти
page-group = Група
page-all-groups = Усі групи
page-tag = Тег
page-all-tags = Усі теги
filter-online = На зв’язку
filter-offline = Офлайн
filter-sold = Продані
filter-self_rented = Власна оренда
filter-idle = Простій
filter-listed = Виставлені
filter-unlisted = Не виставлені
column-phone = Телефон
column-account = Акаунт
column-problem = Проблема
column-rental = Оренда
column-marketplace = Маркет
column-heartbeat = Останній сигнал
column-tunnel = Тунель
column-rotation = Ротація
column-setup = Налаштування
column-model = Модель
column-tags = Теги
page-missing = Немає в останньому списку
page-every = раз на { $interval }
page-since-before = ще до
page-limit = поріг { $duration }
page-ago = { $duration } тому
page-at-time = станом на { $time }

# One phone.
page-not-found = Телефон { $name } не знайдено.
page-board = Дашборд Grafana
page-copy = Копіювати ID
page-copied = Скопійовано.
page-no-problem = Проблем немає.
page-runbook = Що робити
page-part-of = Входить до збою:
page-offline-after = Офлайн після
page-price = Ціна за добу
page-estimate = { $amount } (оцінка)
page-last-day = За 24 год: { $parts }
page-online-all-day = увесь час на зв’язку
day-offline = офлайн { $duration }
day-maintenance = на обслуговуванні { $duration }
day-unknown = немає даних { $duration }
page-tap-day = Торкніться дня або скористайтеся стрілками, щоб побачити його показники.
page-csv-semicolon = CSV із крапкою з комою
page-csv-comma = CSV із комою

## features/history/browser

history-title = У динаміці
history-table = Таблиця
history-failed = Графіків немає: { $reason }
history-no-library = ця частина сторінки не завантажилася. Оновіть сторінку.
history-days =
    { $count ->
        [one] { $count } день
        [few] { $count } дні
        [many] { $count } днів
       *[other] { $count } дня
    }
history-self-rented = Власна оренда, на зв’язку
history-sold = Продані
history-offline-phones = Телефони офлайн
history-yesterday = Учора
history-offline = Офлайн
history-balance = Зміни балансу
history-balance-in = Зміни балансу, { $currency }
history-in = Надійшло
history-out = Списано
# Compared with yesterday at this time.
history-same = офлайн: { $now }, як і вчора в цей час
history-more = офлайн: { $now }, на { $count } більше, ніж учора в цей час
history-fewer = офлайн: { $now }, на { $count } менше, ніж учора в цей час

## features/incidents/section.tsx

incidents-title = Інциденти за останні 31 день
incidents-link = Інциденти
incidents-more-csv = і ще { $count } у CSV
incidents-is-open = відкритий
incidents-day = { $date }: { $text }
incidents-notes = Нотатки
incidents-all = Усі
incidents-by-group = Група
incidents-by-phone = Телефон
incidents-sold-time-offline = Проданий час офлайн
incidents-time-to-acknowledge = Час реакції
incidents-time-to-repair = Час відновлення
incidents-costliest-groups = Найдорожчі групи
incidents-costliest-phones = Найдорожчі телефони
incidents-compared = (попередні 31 день)
# Who wrote a note, before the time; and the file that it is in.
incidents-note-by = автор: { $person },
incidents-note-in = у { $file }
incidents-add-note = Додати нотатку
incidents-correct = Виправити
incidents-remove = Видалити
incidents-remove-note = Видалити цю нотатку: { $name }
incidents-note-on = Нотатка: { $name }
incidents-you-are-on-it = Цим займаєтеся ви.

## features/maintenance/section.tsx

maintenance-title = На обслуговуванні
maintenance-text = Сповіщення про ці телефони вимкнено.
maintenance-long = довше тижня
maintenance-end = Завершити
maintenance-end-of = Завершити: { $name }
maintenance-mute = Вимкнути сповіщення
maintenance-mute-text = Протягом цього часу сповіщень про ці телефони не буде. Якщо після цього вони досі офлайн, ви отримаєте сповіщення.
maintenance-reason = Причина
maintenance-reason-optional = Причина (необов’язково)
maintenance-hours =
    { $count ->
        [one] { $count } година
        [few] { $count } години
        [many] { $count } годин
       *[other] { $count } години
    }
maintenance-days =
    { $count ->
        [one] { $count } день
        [few] { $count } дні
        [many] { $count } днів
       *[other] { $count } дня
    }
maintenance-until-it-is-back = До повернення на зв’язок

## features/month/section.tsx

month-title = Місяць
month-this = Цей місяць
month-group-by = Групувати
month-by-phone = за телефонами
month-by-group = за групами
month-by-model = за моделями
month-tag-by = за тегом { $tag }
month-rows-phone =
    { $count ->
        [one] { $count } телефон
        [few] { $count } телефони
        [many] { $count } телефонів
       *[other] { $count } телефона
    }
month-rows-group =
    { $count ->
        [one] { $count } група
        [few] { $count } групи
        [many] { $count } груп
       *[other] { $count } групи
    }
month-rows-model =
    { $count ->
        [one] { $count } модель
        [few] { $count } моделі
        [many] { $count } моделей
       *[other] { $count } моделі
    }
month-tag-rows =
    { $count ->
        [one] { $count } значення тегу { $tag }
        [few] { $count } значення тегу { $tag }
        [many] { $count } значень тегу { $tag }
       *[other] { $count } значення тегу { $tag }
    }
month-more = { $rows }, нижче { $shown } найгірших. У CSV є всі.
month-none = Даних немає.
month-last-days = Останні 31 день
month-heading-phone = Телефон
month-heading-group = Група
month-heading-model = Модель
month-account = Акаунт
month-available = Доступність
month-sold = Продано
month-interruptions = Переривання
month-offline-estimate = Втрати офлайн, оцінка
month-idle-estimate = Втрати простою, оцінка
month-time-sold_offline = Продано, офлайн
month-time-sold_online = Продано, на зв’язку
month-time-maintenance = Обслуговування
month-time-self_rented = Власна оренда
month-time-idle = Простій
month-time-other = Інше
month-time-unknown = Немає даних
month-no-value = без значення

## features/chat

somebody = хтось
chat-status-command = Проблеми, телефони офлайн і давність даних
chat-offline-command = Телефони офлайн: /offline, /offline rack-03
chat-phone-command = Один телефон: /phone slot-04
chat-rack-command = Одна група: /rack 03
chat-balance-command = Баланс
chat-language-command = Мова цього чату: /language
chat-help-command = Цей список
chat-language-choose = Якою мовою мені писати?
chat-language-unknown = Мови «{ $typed }» у мене немає. Якою мовою писати?
chat-language-set = Тепер я пишу українською.
chat-needs-attention = Потребує уваги: { $text }.
chat-offline = Офлайн: { $text }.
chat-nothing = нічого
chat-no-problems-since = проблем немає. Відтоді даних немає
chat-sold-offline = продано й офлайн — { $count }; якщо це затягнеться, прийде повідомлення
chat-offline-of =
    { $all ->
        [one] { $offline } із { $all } телефона
        [few] { $offline } із { $all } телефонів
        [many] { $offline } із { $all } телефонів
       *[other] { $offline } із { $all } телефона
    }
chat-of-them-sold = з них продано: { $count }
chat-accounts-unknown =
    { $count ->
        [one] немає даних щодо { $count } акаунта
        [few] немає даних щодо { $count } акаунтів
        [many] немає даних щодо { $count } акаунтів
       *[other] немає даних щодо { $count } акаунта
    }
chat-offline-unknown = Офлайн: невідомо.
chat-none-offline = Телефонів офлайн немає.
chat-muted-offline =
    { $count ->
        [one] На обслуговуванні: { $count } телефон офлайн.
        [few] На обслуговуванні: { $count } телефони офлайн.
        [many] На обслуговуванні: { $count } телефонів офлайн.
       *[other] На обслуговуванні: { $count } телефона офлайн.
    }
chat-muted-offline-in =
    { $count ->
        [one] На обслуговуванні: { $count } телефон офлайн, { $groups } (див. /rack).
        [few] На обслуговуванні: { $count } телефони офлайн, { $groups } (див. /rack).
        [many] На обслуговуванні: { $count } телефонів офлайн, { $groups } (див. /rack).
       *[other] На обслуговуванні: { $count } телефона офлайн, { $groups } (див. /rack).
    }
# After "and 3 more".
chat-more-offline = (спробуйте { $command })
chat-not-listed = Цього телефона немає в списку пристроїв.
chat-last-heartbeat = Останній сигнал { $time }, офлайн після { $limit }
chat-no-heartbeat = Останній сигнал: немає, офлайн після { $limit }
# $status is such as "sold" or "idle".
chat-status-since = { $status } з { $time }
chat-status-since-before = { $status } ще до { $time }
chat-missing = Немає в останньому списку пристроїв
chat-none-called = Немає телефона чи групи з назвою { $name }.
chat-did-you-mean = Можливо, ви мали на увазі { $name }?
chat-left = { $name } більше немає в списку пристроїв. Востаннє там: { $time }.
chat-offline-in-it = Офлайн тут: { $names }.
chat-pending = { $amount } в очікуванні
chat-today = { $amount } сьогодні
chat-amount-since = { $amount } з { $time }
chat-last-update = останнє оновлення { $time }
chat-greeting =
    { $count ->
        [one] Я бот { $whose }: { $count } телефон.
        [few] Я бот { $whose }: { $count } телефони.
        [many] Я бот { $whose }: { $count } телефонів.
       *[other] Я бот { $whose }: { $count } телефона.
    }
chat-greeting-groups =
    { $groups ->
        [one] Я бот { $whose }: { $phones } у { $groups } групі.
        [few] Я бот { $whose }: { $phones } у { $groups } групах.
        [many] Я бот { $whose }: { $phones } у { $groups } групах.
       *[other] Я бот { $whose }: { $phones } у { $groups } групи.
    }
chat-this-fleet = цієї ферми
chat-good-morning = Доброго ранку.
chat-overnight = За ніч: { $text }.
chat-no-alerts = сповіщень не було
chat-alerts =
    { $count ->
        [one] { $count } сповіщення
        [few] { $count } сповіщення
        [many] { $count } сповіщень
       *[other] { $count } сповіщення
    }
chat-resolved = закрито: { $count }
chat-muted = на обслуговуванні: { $count }
chat-sold =
    { $all ->
        [one] Продано { $count } із { $all } телефона
        [few] Продано { $count } із { $all } телефонів
        [many] Продано { $count } із { $all } телефонів
       *[other] Продано { $count } із { $all } телефона
    }
chat-sold-unknown = Продано: невідомо
chat-balance = Баланс: { $text }.
chat-not-kept = Я зберігаю лише текст, тому вкладення ({ $what }) не збережено. Дайте відповідь текстом.
chat-text-only = Я зберігаю лише текст, без вкладення ({ $what }).
chat-note-again = Нотатку не збережено: надішліть її ще раз пізніше.
chat-away-since = Експортер не відповідає з { $time }.
chat-away = Експортер не відповів.
chat-back = Експортер знову відповідає.
chat-other-response = Експортер відповів кодом { $status } і без даних ферми.
chat-matches =
    { $count ->
        [one] { $count } збіг.
        [few] { $count } збіги.
        [many] { $count } збігів.
       *[other] { $count } збігу.
    }
chat-matches-first =
    { $count ->
        [one] { $count } збіг, нижче перші { $shown }. Введіть більше символів назви.
        [few] { $count } збіги, нижче перші { $shown }. Введіть більше символів назви.
        [many] { $count } збігів, нижче перші { $shown }. Введіть більше символів назви.
       *[other] { $count } збігу, нижче перші { $shown }. Введіть більше символів назви.
    }
chat-moved = Група стала супергрупою, відповіді надходять під її новим номером. Змініть номер у --chats, а також chat_id в Alertmanager: його сповіщення самі не перейдуть
chat-moved-to = Тепер номер цієї групи — { $number }. { $text }.
chat-button-used = Цю кнопку вже використано.
chat-button-expired = Термін дії кнопки минув. Надішліть команду ще раз.
chat-which = Що саме? Додайте після команди назву або її частину.
chat-late = Ваша попередня команда надійшла запізно, її проігноровано. Надішліть її ще раз.
chat-group = група
chat-administrator = адміністратор ({ $group })
attachment-photo = фото
attachment-video = відео
attachment-animation = анімація
attachment-voice = голосове повідомлення
attachment-video_note = відеоповідомлення
attachment-audio = аудіофайл
attachment-document = файл
attachment-sticker = стікер
attachment-location = геопозиція
attachment-contact = контакт
attachment-poll = опитування
attachment-other = повідомлення

## features/maintenance/command.ts: headings and words of a table in a terminal

maintenance-column-id = id
maintenance-column-covers = що
maintenance-column-phones = телефонів
maintenance-column-offline = офлайн
maintenance-column-until = до
maintenance-column-by = автор
maintenance-column-reason = причина
maintenance-configuration = конфігурація

## features/incidents/command.ts: headings and words of a table in a terminal

incidents-none-since = Інцидентів немає з { $time }.
incidents-none-such-since = Таких інцидентів немає з { $time }.
incidents-somebody-small = хтось
incidents-still-open = відкритий
incidents-column-since = початок
incidents-column-incident = інцидент
incidents-column-subject = де
incidents-column-lasted = тривалість
incidents-column-phones = телефони
incidents-column-acknowledged = хто займається
incidents-column-id = id
incidents-column-before = інциденти (раніше)
incidents-column-sold = проданий час офлайн
incidents-column-acknowledge = час реакції
incidents-column-repair = час відновлення
incidents-column-longest = найдовший

## features/month/command.ts: headings and words of a table in a terminal

month-column-name = назва
month-column-account = акаунт
month-column-sold_online = продано, на зв’язку
month-column-sold_offline = продано, офлайн
month-column-self_rented = власна оренда
month-column-idle = простій
month-column-other = інше
month-column-maintenance = обслуговування
month-column-unknown = немає даних
month-column-sold_share = частка продажу
month-column-availability = доступність
month-column-interruptions = переривання
month-column-offline_estimate = втрати офлайн, оцінка
month-column-idle_estimate = втрати простою, оцінка

## cli/check.ts: what it finds with a key

check-available = доступно { $amount }
check-no-amount = доступної суми немає
check-right-key = Це ключ потрібного акаунта?

## features/setup

setup-ask-language = Мова: { $languages }
setup-no-language = { $typed } немає серед мов { $languages }.
setup-accounts-kept = Акаунти у { $file } лишаються без змін.
setup-login = Кнопки на сторінці ферми запитують логін: { $user } і пароль із файлу { $file }.
setup-ask-address = Адреса API маркетплейсу, наприклад https://api.example.com
setup-ask-key = API-ключ із панелі хостера на маркетплейсі
setup-found =
    Знайдено: { $phones }
    Баланс: { $balance }
setup-try-again = Поки що не працює. Спробуйте ще раз або натисніть Ctrl-C, щоб вийти.
setup-continue-anyway = Усе одно продовжити?
setup-kept = Поки що діє ваша попередня відповідь; виправте її пізніше.
setup-using = Використовую { $address }.
setup-api-proxied = API відповідає лише через проксі з вашого середовища, тож експортер користуватиметься ним.
setup-ask-currency = Валюта балансу, наприклад EUR, або none
setup-no-currency = { $typed } — це не код валюти на зразок EUR.
setup-ask-time-zone = Ваш часовий пояс: для часу в повідомленнях і днів у звітах
setup-ask-channel = Куди надсилати сповіщення? Одне з: { $channels }
setup-unknown-channel = Невідомий канал { $typed }. Можливі: { $channels }.
setup-secret-telegram = Токен вашого бота від @BotFather
setup-secret-ntfy = Адреса вашої теми, наприклад https://ntfy.sh/my-phones-8231
setup-secret-pushover = Токен вашого застосунку на pushover.net
setup-secret-discord = Адреса вебхука вашого каналу
setup-secret-slack = Адреса вхідного вебхука вашого каналу
setup-secret-mail = Пароль поштової скриньки; порожньо, якщо сервер його не вимагає
setup-secret-webhook = Адреса, що отримує сповіщення як JSON
setup-service-proxied = Служба відповідає лише через проксі з вашого середовища, тож сповіщення підуть через нього.
setup-no-address = Це не адреса: вона має починатися з https://.
setup-no-topic = В адресі немає теми.
setup-no-webhook = В адресі немає вебхука.
setup-discord-unknown = Discord не знає цього вебхука (код { $status }).
setup-ask-pushover-user = Ваш ключ користувача або групи з pushover.net
setup-no-pushover-user = Це не ключ користувача: у ньому 30 літер і цифр.
setup-no-pushover-token = Це не токен: у ньому 30 літер і цифр.
setup-pushover-refused = Pushover відхиляє цей токен.
setup-pushover-status = Pushover відповідає кодом { $status }.
setup-pushover-unknown = Pushover не знає цього ключа користувача.
setup-ask-mail-server = Поштовий сервер, наприклад mail.example.com, можна з портом: mail.example.com:465
setup-ask-mail-address = Адреса, що надсилає й отримує сповіщення
setup-no-mail-address = { $typed } — це не поштова адреса на зразок me@example.com.
setup-ask-mail-user = Користувач поштового сервера
setup-mail-refused = { $server } відхилив вхід: { $problem }
setup-no-mail-server = { $typed } — це не поштовий сервер на зразок mail.example.com.
setup-mail-not-accepted = { $host } не приймає пошту звідси ({ $problems }).
setup-ask-first-message = Надішліть боту будь-яке повідомлення в Telegram і натисніть тут Enter; або введіть номер чату
setup-ask-chat = Номер чату
setup-using-chat = Використовую чат { $number }.
setup-channel-only = Канал лише отримує сповіщення: команд боту там ніхто не надішле.
setup-ask-bot-answers = Чи має бот відповідати й на команди, наприклад /status?
setup-no-token = Це не токен бота на зразок 123456789:AAE… від @BotFather.
setup-token-refused = Telegram відхилив цей токен. Скопіюйте його з @BotFather ще раз.
setup-telegram-silent = Telegram не відповідає: { $reason }.
setup-telegram-refused-chat = Telegram відхилив чат { $number }: { $reason }.
setup-telegram-refused-topic = Telegram відхилив тему { $number }: { $reason }.
setup-no-message = Бот ще не отримав жодного повідомлення.
setup-no-chat = { $typed } — це не номер чату.
setup-supergroup = Група стала супергрупою. Тепер її номер { $number }.
setup-ask-topic = Номер теми для сповіщень із посилання на одне з її повідомлень; 0 — для General
setup-no-topic-number = { $typed } — це не номер теми.
setup-watchdog = Якщо ця машина зупиниться, вона не надішле сповіщення. Це зробить зовнішня служба: наприклад, безплатна перевірка на healthchecks.io.
setup-ask-watchdog = Ping-адреса цієї служби, наприклад https://hc-ping.com/…, або none
setup-watchdog-status = Служба відповідає кодом { $status }.
setup-changes = Зміни у { $file }:
setup-write = Записати ці зміни?
setup-lines = { $title } рядків: { $count }, показати — d
setup-hidden = (не показується)
setup-keep = залишити поточне
setup-nothing-written = Нічого не записано.
setup-saved = Збережено в { $directory }. Далі: { $command }
setup-no-server = Немає сервера з назвою { $name }.
setup-test-title = Пробне сповіщення: усі телефони на зв’язку
setup-test-text = Якщо ви це читаєте, сповіщення до вас доходять. Приблизно за дві хвилини прийде повідомлення про завершення.
setup-test-bot = Тепер спробуйте /status.
setup-test-over = перевірку завершено
setup-no-test = Канал не налаштовано, тож пробного сповіщення немає.
setup-sent = Надіслано: { $channel } прийняв пробне сповіщення.
setup-arrived = Воно надійшло?
setup-not-sent = Пробне сповіщення не вдалося надіслати в { $channel }. Дивіться журнал Alertmanager.

## config: texts of alerts (config/prometheus, config/alertmanager)

# The form of a date and a time, by the reference time of Go: 2 January 2006, 15:04.
alert-time = 2.01 15:04
# $reason is how it ended, such as "back online".
alert-over = { $reason }, тривалість: { $duration }
alert-over-unknown = закрито, причина невідома
alert-watchdog = Сповіщення працюють
alert-watchdog-advice = Якщо це сповіщення перестане надходити, сповіщення не працюють.
alert-exporter-down = Експортер { $instance } не відповідає
alert-exporter-down-advice = Виконайте на його машині systemctl status hoster-exporter або docker compose ps
alert-no-exporter = Prometheus не має експортера для опитування
alert-no-exporter-advice = Додайте завдання scrape з назвою hoster
alert-exporter-blind = Експортер { $instance } не має даних акаунта { $account }, а інший експортер має
alert-exporter-blind-advice = Порівняйте його мережу й ключ з іншим експортером.
alert-exporter-stalled = Експортер { $instance } не опитував акаунт { $account } уже { $duration }
alert-exporter-stalled-advice = Перезапустіть його. Його журнал і сторінка ферми називають файлову систему, яка не відповідає.
alert-exporter-restarting = Експортер { $instance } постійно перезапускається
alert-exporter-restarting-advice = Запусків за 30 хвилин: { $count }. Дивіться його журнал.
# $file is one of the five below.
alert-file-unusable = Експортер { $instance } не може використати файл: { $file }
alert-file-unusable-advice = Він зберігає те, що знає, щонайбільше до перезапуску. Дивіться його сторінку або журнал.
alert-file-configuration = конфігурація
alert-file-state = стан
alert-file-key = ключ
alert-file-incident = інциденти
alert-file-month = місяць
# $account and $reason, such as "timeout".
alert-key-refused = API-ключ відхилено: акаунт { $account }
alert-key-refused-advice = Ключ неправильний, або акаунт заблоковано: перевірте обидва.
alert-api-unavailable = API маркетплейсу недоступний: акаунт { $account } ({ $reason })
alert-api-schema = його відповіді змінилися
alert-api-unavailable-advice = Попередні сповіщення лишаються відкритими. Якщо це триватиме годину, надійде критичне сповіщення.
alert-api-unavailable-long-advice = Перевірте мережу експортера, потім зверніться до маркетплейсу.
alert-api-degraded = Дані маркетплейсу неповні: акаунт { $account } ({ $reason })
alert-condition-list_incomplete = список неповний
alert-condition-devices_rejected = телефони без ID
alert-condition-heartbeats_unreadable = сигнали не читаються
alert-condition-fields_unreadable = поля не читаються
alert-condition-tunnels_unanswered = немає відповідей про тунелі
alert-api-degraded-advice = Пошукайте новішу версію експортера, потім зверніться до маркетплейсу.
alert-balance-low = Низький баланс: акаунт { $account },{ $amount }
alert-balance-low-advice = Поповніть його, інакше маркетплейс відхилить наступну власну оренду.
# $place is such as "rack-01", $counts such as "4 unsold and 36 sold".
alert-outage = Збій: { $place }, телефонів офлайн:{ $counts }
alert-sold = { $count } прод.
alert-unsold = { $count } непрод.
alert-and = і
alert-outage-advice = Перевірте, що в них спільного: живлення й інтернет на місці, оновлення застосунку, проксі-хост.
alert-no-cause-advice = Спільної причини не знайдено. Перевірте інтернет на місці, потім телефони.
alert-sold-offline-advice = За нього платить клієнт. Перевірте живлення, мобільний інтернет і застосунок.
alert-offline-advice = Перевірте живлення, мобільний інтернет і застосунок.
alert-tunnel-advice = Ви платите за проксі, яким не можете користуватися. Орендуйте знову або зверніться до маркетплейсу.
alert-left-advice = Якщо ви його не архівували, зверніться до маркетплейсу.
alert-earns-nothing-advice = Налаштуйте, виставте, перевірте ціну або архівуйте його.
alert-flapping-advice = Перевірте кабель, зарядку й прийом сигналу.
alert-credential-advice = Якщо це були не ви, перевірте, хто має доступ.
# $subject is a phone, a place, or an account with its problem.
alert-not-acknowledged = Ніхто не взявся: { $subject }
alert-not-acknowledged-advice = Візьміть на себе в чаті чи на сторінці ферми або зателефонуйте відповідальному.
alert-acknowledged = хтось узявся або закрито

alert-kind-resolved = [ЗАКРИТО]
alert-kind-muted = [БЕЗ СПОВІЩЕНЬ]
alert-kind-changed = [ЗМІНЕНО]
alert-kind-critical = [КРИТИЧНО]
alert-kind-warning = [УВАГА]
alert-kind-info = [ІНФО]
alert-of-account = (акаунт { $account })
alert-in-total = (усього { $count })
alert-rest = Усього: { $count }. Решта — на сторінці ферми.
alert-runbook = Що робити
alert-page = Сторінка ферми
alert-note = Нотатка
alert-notes = Нотатки
alert-on-it = Беру на себе
alert-on-it-each = Беру на себе: натисніть команду після рядка
alert-on-it-all = усі
alert-phones-now = Телефони зараз
