# Russian. No native speaker has read this catalog yet.
#
# $-variables are what the program fills in. Names of phones, groups, accounts and people are text by others and stay as they are.

## fleet: problems of phones

problem-sold_offline = Продан, офлайн
problem-sold_offline-meaning = За этот телефон платит клиент, а он офлайн.
problem-sold_offline-advice = Проверьте питание, мобильный интернет и приложение: чем дольше он офлайн, тем больше возврат денег.
problem-self_rented_offline = Своя аренда, офлайн
problem-self_rented_offline-meaning = Вы платите за эту аренду, а телефон офлайн.
problem-self_rented_offline-advice = Проверьте питание, мобильный интернет и приложение или завершите аренду.
problem-tunnel_missing = Нет туннеля
problem-tunnel_missing-meaning = Вы арендуете этот телефон, но туннеля нет, поэтому пользоваться им нельзя.
problem-tunnel_missing-advice = Создайте туннель в панели хостера или завершите аренду.
problem-tunnel_down = Туннель не работает
problem-tunnel_down-meaning = Вы арендуете этот телефон. Он на связи, но его туннель не работает.
problem-tunnel_down-advice = Перезапустите приложение. Если не работает много туннелей, причина, вероятно, в маркетплейсе.
problem-tunnel_without_login = Туннель без логина
problem-tunnel_without_login-meaning = Вы арендуете этот телефон. Его туннель работает, но активного логина нет.
problem-tunnel_without_login-advice = Создайте логин в панели хостера.
problem-offline = Офлайн
problem-offline-meaning = Сигнала нет дольше обычного. Пока он не появится, телефон никто не сможет арендовать.
problem-offline-advice = Проверьте питание, мобильный интернет и приложение.
problem-heartbeat_unreadable = Нет сигнала
problem-heartbeat_unreadable-meaning = Маркетплейс не сообщает, когда этот телефон последний раз был на связи.
problem-heartbeat_unreadable-advice = Проверьте его в панели хостера и перезапустите приложение.
problem-rotation_stopped = Ротация остановилась
problem-rotation_stopped-meaning = Ротация IP была включена и остановилась.
problem-rotation_stopped-advice = Включите её снова, если не выключили её сами.
problem-not_set_up = Не настроен
problem-not_set_up-meaning = Настройка не завершена, поэтому его никто не может арендовать.
problem-not_set_up-advice = Завершите настройку в панели хостера или архивируйте телефон.
problem-not_listed = На связи, не выставлен
problem-not_listed-meaning = Он на связи и простаивает, но не выставлен, поэтому его никто не может арендовать.
problem-not_listed-advice = Выставьте его на маркетплейсе.
problem-idle_too_long = Давно не арендуют
problem-idle_too_long-meaning = Он выставлен, но его давно никто не арендовал (problems.idle_after).
problem-idle_too_long-advice = Сравните его с арендованными телефонами той же модели в том же месте.
problem-given_up = Давно офлайн
problem-given_up-meaning = Его никто не арендует, и он давно офлайн (problems.given_up_after).
problem-given_up-advice = Отремонтируйте или архивируйте его.
problem-in_maintenance = На обслуживании
problem-in_maintenance-meaning = Уведомления об этом телефоне отключены.
problem-in_maintenance-advice = Когда закончите, завершите обслуживание.
no-problems = Проблем нет

## fleet: incidents that are no problem of a single phone, and how incidents end

incident-flapping = То офлайн, то на связи
incident-credential_changed = Логин изменён
incident-left = Больше нет на маркетплейсе
incident-earns_nothing = Не приносит дохода
incident-common_cause = Сбой
incident-many_sold_offline = Массовый сбой проданных телефонов
incident-many_offline = Массовый сбой
incident-many_left = Многих телефонов больше нет на маркетплейсе
incident-many_credentials_changed = Логины изменены на многих туннелях
incident-key_refused = API-ключ отклонён
incident-api_unavailable = API маркетплейса недоступен
incident-api_degraded = Данные маркетплейса неполные
incident-tunnels_unreadable = Данные туннелей недоступны
incident-balance_unreadable = Баланс недоступен
incident-balance_low = Низкий баланс

end-back = снова на связи
end-left = исчез из списка устройств
end-returned = снова в списке
end-rented = уже арендован
end-rental_ended = аренда завершена
end-given_up = заброшен
end-not_set_up = больше не настроен
end-offline = офлайн сам телефон
end-works_again = снова работает
end-readable = данные снова есть
end-mended = исправлено
end-answers_again = снова отвечает
end-key_taken = ключ принят
end-paid_in = пополнено
end-limit_removed = порог снят
end-calm = снова стабильно
end-notified = разовое событие
end-maintenance = на обслуживании
end-limit_changed = порог изменён
end-clock_set = часы шли неверно
end-account_removed = аккаунт удалён
# $reason is one of the messages above, such as "rented now".
end-still-offline = { $reason }, всё ещё офлайн

## fleet: statuses of phones, rentals and tunnels, in small letters

status-sold = продан
status-self_rented = своя аренда
status-idle = простаивает
status-other = другое
status-listed = выставлен
status-not_listed = не выставлен
status-awaiting_device_details = ожидает данных
status-awaiting_agent = ожидает агента
status-active = активно
status-draft = черновик
status-incomplete = не завершено
status-complete = завершено
status-enabled = включено
status-disabled = выключено
status-stopped = остановлено
status-paused = приостановлено
status-up = работает
status-down = не работает
status-none = нет
status-unknown = неизвестно
status-sold_online = продан, на связи
status-sold_offline = продан, офлайн
status-maintenance = обслуживание
status-rotation_stopped = ротация остановилась
status-not_set_up = не настроен
status-idle_too_long = давно простаивает
status-given_up = заброшен

## fleet: phones and their numbers

phones =
    { $count ->
        [one] { $count } телефон
        [few] { $count } телефона
        [many] { $count } телефонов
       *[other] { $count } телефона
    }
count-sold = продано: { $count }
count-not-set-up = не настроено: { $count }
# Phones whose alerts are muted, because somebody works on them.
count-muted = на обслуживании: { $count }
# Such as "9 of 12 phones offline".
count-offline-of =
    { $all ->
        [one] { $offline } из { $all } телефона офлайн
        [few] { $offline } из { $all } телефонов офлайн
        [many] { $offline } из { $all } телефонов офлайн
       *[other] { $offline } из { $all } телефона офлайн
    }
group = Группа
# Such as "12 phones, 11 online, 4 sold".
group-counts =
    { $count ->
        [one] { $count } телефон, на связи: { $online }, продано: { $sold }
        [few] { $count } телефона, на связи: { $online }, продано: { $sold }
        [many] { $count } телефонов, на связи: { $online }, продано: { $sold }
       *[other] { $count } телефона, на связи: { $online }, продано: { $sold }
    }
all-phones = все телефоны
all-phones-of = все телефоны ({ $account })
no-group = без группы
several-groups = несколько групп
unnamed = без названия
mute-2h = Без уведомлений 2 ч
mute-back = Без уведомлений до возврата на связь
# Why the exporter refused a change.
not-changed = Ничего не изменено: { $reason }
# A phone or a group with its account, where there are several accounts.
name-of = { $name } ({ $account })
# A group that several accounts have.
name-of-all-accounts = { $name } (все аккаунты)
# The rest of a list.
and-more = и ещё { $count }
no-phones = Телефонов нет. Это правильный API-ключ?
no-phones-in = Телефонов нет ({ $names }). Это правильный API-ключ?

## fleet: outages

place-tunnel_host = хост туннелей { $value }
place-account = аккаунт { $value }
place-app_version = версия приложения { $value }
place-model = модель { $value }
cause-advice-group = Проверьте питание и интернет в этой группе.
cause-advice-tunnel_host = Вероятно, не работает хост прокси.
cause-advice-account = Проверьте интернет на площадке или обратитесь в поддержку маркетплейса.
cause-advice-app_version = Вероятная причина — обновление приложения.
cause-advice-model = Вероятная причина — дефект этой модели.
cause-advice-other = Проверьте, что ещё у них общего.
cause-within = Они ушли в офлайн с разницей не более { $span }.
cause-others =
    { $count ->
        [0] Больше ни один телефон в это время в офлайн не ушёл.
        [one] В это время в офлайн ушёл ещё { $count } телефон.
        [few] В это время в офлайн ушли ещё { $count } телефона.
        [many] В это время в офлайн ушли ещё { $count } телефонов.
       *[other] В это время в офлайн ушли ещё { $count } телефона.
    }
cost-per-hour = около { $amount } в час (оценка)
acknowledged-at = в работе с { $time }
acknowledged-by = { $person } занимается этим с { $time }

## fleet: times

seconds = { $count } с
minutes = { $count } мин
hours = { $count } ч
days = { $count } д
since = с { $time }
more-than = более { $duration }
unknown-time = неизвестно когда
offline-after = Офлайн после { $limit } без сигнала.
offline-after-beats =
    { $beats ->
        [one] Обычно сигнал приходит раз в { $usual }; подряд можно пропустить { $beats } сигнал.
        [few] Обычно сигнал приходит раз в { $usual }; подряд можно пропустить { $beats } сигнала.
        [many] Обычно сигнал приходит раз в { $usual }; подряд можно пропустить { $beats } сигналов.
       *[other] Обычно сигнал приходит раз в { $usual }; подряд можно пропустить { $beats } сигнала.
    }
offline-after-longest =
    { $days ->
        [one] Самый долгий обычный перерыв за { $days } день: { $longest }.
        [few] Самый долгий обычный перерыв за { $days } дня: { $longest }.
        [many] Самый долгий обычный перерыв за { $days } дней: { $longest }.
       *[other] Самый долгий обычный перерыв за { $days } дня: { $longest }.
    }
offline-after-excused = Не учтено: { $span }, когда маркетплейс не отвечал.

## fleet: the age of the data

state-fresh = Актуально
state-stale = Не обновляется
state-expired = Устарело
data-some-accounts = { $state } (аккаунты: { $affected } из { $all })
data-waiting = Ожидание экспортёра
data-unreachable = Экспортёр недоступен
data-loading = Загрузка
data-first-poll = Ожидание первого опроса
data-none = Данных ещё нет
# The age of the data, such as "3 min old".
data-age = давность { $age }
data-age-none = ещё нет
# The age, and why the data is not fresh.
data-text = Данные: { $text }.
# Before something that was true at that time.
as-of = На { $time }:
unknown-too-old = неизвестно, так как данные устарели
unknown-no-data = неизвестно, так как данных ещё нет

# What the exporter has done. A time may follow, as in message "since".
request-no-response = Он не отвечает
request-login = Он требует входа
request-foreign = Вместо него отвечает страница входа или другой сервер
request-upgraded = Он работает в новой версии
request-status = Он отвечает кодом { $status }
next-keeps-trying = Страница продолжает попытки.
next-waiting = Страница ждёт ответа.
next-log-in = Перезагрузите эту страницу, чтобы войти.
next-may-log-in = Перезагрузите эту страницу: возможно, потребуется войти.
next-reload = Перезагрузите эту страницу.

notice-settings = Некоторые настройки проигнорированы
notice-files = Некоторые файлы нельзя использовать
notice-in-the-log = { " " }в журнале экспортёра
notice-page-without-data = На странице ещё нет данных.
notice-data-from = Показаны данные на { $time } ({ $age } назад).
notice-data-age = Показаны данные, полученные { $age } назад.
notice-waiting-since = Нет данных от экспортёра с { $time }
notice-unreachable = Экспортёр недоступен
notice-learning = До { $time } изучаем, как часто приходят сигналы ваших телефонов
notice-learning-text = Сначала телефон считается офлайн после 10 минут без сигнала; позже — после 3–30 минут, в зависимости от телефона. Уведомления о телефонах офлайн, сбоях, отклонённом ключе и маркетплейсе, который не отвечает, вы получаете уже сейчас.
notice-phones-at = Показано состояние телефонов на { $time }.
notice-key-retry = До этого экспортёр пробует текущий ключ каждые 5 мин.
notice-back = Маркетплейс снова работает. Телефоны должны выйти на связь до { $time }
notice-back-text = Во время сбоя они не могли отправлять сигнал. До этого времени они не считаются офлайн.
notice-no-poll = С тех пор ни один опрос не завершился.
notice-retrying = Повторная попытка раз в { $interval }.
news-devices-since = Нет данных от маркетплейса с { $time }
news-devices-yet = Данных от маркетплейса ещё нет
news-tunnels-since = Нет данных о туннелях с { $time }
news-tunnels-yet = Данных о туннелях ещё нет
news-balance-since = Нет данных о балансе с { $time }
news-balance-yet = Данных о балансе ещё нет
# $title is one of the messages above.
news-not-phones = { $title }: дело не в ваших телефонах

access-missing_key = Маркетплейс не получил ключ (MISSING_API_KEY): возможно, его убрал прокси.
access-invalid_key = Маркетплейс отклоняет ключ (INVALID_API_KEY): он неверный или аккаунт заблокирован.
access-suspended = Аккаунт заблокирован или ключ неверный (HOSTER_BANNED): что именно, видно в панели хостера.
access-denied = Маркетплейс отклоняет ключ.
key-file-of-systemd = файл, который служба systemd загружает через LoadCredential
key-environment = окружение экспортёра
key-without-phones = Для ключа ({ $place }) по адресу { $address } нет телефонов.
key-new-variable = Задайте новый ключ ({ $place }) и перезапустите экспортёр.
key-new-systemd = Запишите новый ключ ({ $place }) и выполните: { $command }.
key-new-service = Запишите новый ключ ({ $place }) и перезапустите службу.
key-new-file = Запишите новый ключ ({ $place }). Он будет использован при следующем опросе, без перезапуска.

failure-dns = Не удалось найти адрес хоста из api_url. Проверьте его написание и DNS этой машины.
failure-connect = Не удалось подключиться. Проверьте api_url, брандмауэр и работает ли API.
failure-reset = Соединение оборвалось до ответа. Если это продолжается, обратитесь в поддержку маркетплейса.
failure-timeout = Ответ приходил слишком долго. Если это продолжается, увеличьте client.timeout.
failure-tls = Ошибка TLS-рукопожатия. Проверьте хост и порт в api_url, часы и client.ca_file, если он используется.
failure-redirect = API перенаправил запрос. Перенаправления не выполняются, так как передали бы ключ. Если новый адрес — это API, впишите его в api_url. Это может быть и страница входа этой сети.
failure-edge_block = Запрос отклонил прокси перед API или эта сеть. Спросите в поддержке маркетплейса, не заблокирован ли ваш адрес.
failure-envelope = Ответ не является объектом JSON с success и data. Проверьте, что api_url — базовый адрес API и что эта сеть не требует входа.
failure-encoding = Ответ не в UTF-8 или имеет неизвестное сжатие. Проверьте, не меняет ли ответы прокси.
failure-truncated = Ответ оборвался. Если это продолжается, обратитесь в поддержку маркетплейса.
failure-too_large = Ответ слишком большой. Проверьте, что api_url — базовый адрес API.
failure-schema = Данные не соответствуют документации API. Возможно, API изменился: поищите более новую версию.
failure-unauthorized = Ключа нет, он недействителен или аккаунт заблокирован. Проверьте и ключ, и аккаунт.
failure-throttled = Слишком много запросов. Опрашивайте реже или уменьшите client.concurrency.
failure-server = Ошибка API (код 5xx). Если это продолжается, обратитесь в поддержку маркетплейса.
failure-not_found = По этому адресу API не найден. Проверьте, что api_url — его базовый адрес.
failure-bad_request = API отклонил запрос. Возможно, он изменился: поищите более новую версию.
failure-inconsistent = Данные противоречивы. Если это продолжается, обратитесь в поддержку маркетплейса.
failure-internal = Это ошибка в hoster-exporter. Пожалуйста, сообщите о ней.

## features/incidents

incidents-total = всего
incidents-none = Инцидентов нет
incidents-last-days =
    { $days ->
        [one] За { $days } день
        [few] За { $days } дня
        [many] За { $days } дней
       *[other] За { $days } дня
    }
incidents-since = С { $time } (более ранних данных нет)
incidents-count =
    { $count ->
        [one] { $count } инцидент
        [few] { $count } инцидента
        [many] { $count } инцидентов
       *[other] { $count } инцидента
    }
incidents-outages =
    { $count ->
        [one] { $count } сбой
        [few] { $count } сбоя
        [many] { $count } сбоев
       *[other] { $count } сбоя
    }
incidents-open = открыто: { $count }
incidents-more-open = и ещё открытых: { $count }
incidents-median-acknowledge = медианное время реакции { $duration }
incidents-median-repair = медианное время восстановления { $duration }
incidents-longest = самый долгий { $duration }
incidents-week-none = { $period }: инцидентов нет.
incidents-week-before =
    { $count ->
        [one] Неделей раньше: { $count } инцидент.
        [few] Неделей раньше: { $count } инцидента.
        [many] Неделей раньше: { $count } инцидентов.
       *[other] Неделей раньше: { $count } инцидента.
    }
incidents-days-before = Предыдущие 31 день: { $numbers }.
# Places, each with its sold time offline.
incidents-worst = Худшие: { $names }.
incidents-worst-phones = Телефоны: { $names }.
# $time is such as "3 h 10 min (about €2.50, estimated), before: 1 h".
incidents-sold-time = Проданное время офлайн: { $time }.
incidents-sold-cost = (около { $amount }, оценка)
incidents-before = раньше: { $duration }
incidents-balance = Изменения баланса по наблюдениям: +{ $in }, −{ $out }.
incidents-failed = Не удалось загрузить инциденты: { $reason }
incidents-nobody-any-more = Этим больше никто не занимается.
incidents-nobody = Этим никто не занимается.
incidents-is-on-it = { $person } занимается этим.
incidents-has-been-on-it = { $person } занимается этим с { $time }.
incidents-somebody = Кто-то
incidents-noted-saved = Заметка сохранена.
incidents-noted-corrected = Заметка исправлена.
incidents-noted-removed = Заметка удалена.
incidents-note-gone = Этой заметки больше нет.
incidents-note-length = в заметке может быть от 1 до { $max } знаков, а в этой { $count }
incidents-no-phone = Нет телефона с таким ID или меткой.
incidents-several-phones =
    { $count ->
        [one] Такое название у { $count } телефона: укажите ID или добавьте account.
        [few] Такое название у { $count } телефонов: укажите ID или добавьте account.
        [many] Такое название у { $count } телефонов: укажите ID или добавьте account.
       *[other] Такое название у { $count } телефона: укажите ID или добавьте account.
    }
incidents-not-open = Этот инцидент не открыт: возможно, он уже закрыт.
incidents-no-such-id = Нет инцидента с таким ID.
incidents-several-accounts = Инцидент с таким ID есть в нескольких аккаунтах: добавьте аккаунт.
incidents-other-version = У экспортёра другая версия инцидентов

## features/incidents/chat.ts

incidents-log-command = Инциденты за 31 день, сначала открытые: /log, /log rack-03
incidents-ack-command = Беру на себя: /ack показывает открытые инциденты
incidents-note-command = Заметка о телефоне: /note rack-03/slot-04 вздулась батарея; или ответ на уведомление
incidents-notes-command = Заметки: /notes, /notes rack-03
incidents-no-such-code = Нет инцидента с таким номером.
incidents-not-about = Это сообщение не об открытом инциденте. Список: /ack.
incidents-none-called = Нет открытого инцидента с названием { $name }. Список: /ack.
incidents-which = Какой берёте на себя?
incidents-free = Этими ещё никто не занимается. Какой берёте на себя?
incidents-which-note = К какому из них относится заметка?
incidents-is-it-this-phone = Заметка об этом телефоне?
incidents-no-subject = Ничего не сохранено: это сообщение не о телефоне и не об инциденте. Ответьте на уведомление или напишите /note rack-03/slot-04 и заметку.
incidents-edit-note = Чтобы исправить её, отредактируйте своё сообщение.
incidents-not-corrected = Заметка не изменена. Чтобы перенести её к другому телефону, удалите её и напишите снова.
incidents-nothing-to-mute = Здесь нет телефонов, для которых можно отключить уведомления.
incidents-mute-phones = отключить уведомления об этих телефонах?
incidents-none-known = Об открытых инцидентах ничего не известно. Данные: { $text }.
incidents-none-open = Открытых инцидентов нет.
incidents-all-acknowledged = Все открытые инциденты уже в работе.
incidents-take-it-back = Отказаться
incidents-on-it = Беру на себя: { $name }
incidents-mute = Без уведомлений: { $name }
incidents-name-since = { $name } с { $time }
# How an incident ended, before the time.
incidents-label-resolved = { $name }, закрыто { $time }
incidents-label-muted = { $name }, на обслуживании с { $time }
incidents-label-changed = { $name }, изменено { $time }
incidents-ended-resolved = { $name } — закрыто { $time }{ $why }.
incidents-ended-muted = { $name } — уведомления отключены { $time }{ $why }.
incidents-ended-changed = { $name } — завершено { $time }{ $why }.
incidents-goes-on = Продолжается как { $name }: { $command }
incidents-note-after-name = Напишите заметку после названия: /note rack-03/slot-04 вздулась батарея
incidents-note-after-command = Напишите заметку после команды или просто в ответ на это сообщение.
incidents-remove-it = Удалить
incidents-remove-text = Удалить: { $text }
incidents-note = Заметка: { $text }
incidents-no-notes = Заметок нет.

## features/maintenance

maintenance-unknown-account = Неизвестный аккаунт «{ $name }».
maintenance-unknown-group = Неизвестная группа «{ $name }».
maintenance-unknown-phone = Неизвестный телефон «{ $name }».
maintenance-known = Известны: { $names }.
maintenance-did-you-mean = Возможно, «{ $name }»?
maintenance-counts =
    { $count ->
        [one] { $count } телефон, офлайн: { $offline }
        [few] { $count } телефона, офлайн: { $offline }
        [many] { $count } телефонов, офлайн: { $offline }
       *[other] { $count } телефона, офлайн: { $offline }
    }
maintenance-by = автор: { $person }
# $until is one of the messages below, such as "until 23:28".
maintenance-muted = { $name }: без уведомлений { $until } ({ $counts })
maintenance-muted-by = { $name }: без уведомлений { $until }, автор: { $person } ({ $counts })
maintenance-until = до { $time }
maintenance-until-back = до возвращения каждого телефона на связь, самое позднее до { $time }
maintenance-until-gone-and-back = до ухода каждого телефона в офлайн и возвращения на связь, самое позднее до { $time }
maintenance-none = На обслуживании нет ни одного телефона.
maintenance-list = На обслуживании:
maintenance-ended = Обслуживание завершено: { $name }.
maintenance-none-offline =
    { $count ->
        [one] { $count } телефон, офлайн нет
        [few] { $count } телефона, офлайн нет
        [many] { $count } телефонов, офлайн нет
       *[other] { $count } телефона, офлайн нет
    }
maintenance-back =
    { $all ->
        [one] { $back } из { $all } телефона снова на связи
        [few] { $back } из { $all } телефонов снова на связи
        [many] { $back } из { $all } телефонов снова на связи
       *[other] { $back } из { $all } телефона снова на связи
    }
maintenance-still-offline = Офлайн: { $names }.
# In that list.
maintenance-phone-since = { $name } с { $time }
maintenance-extended = продлено
maintenance-ended-now = Обслуживание завершено.
maintenance-stays =
    { $count ->
        [one] { $count } телефон остаётся на обслуживании ({ $name }) до { $time }.
        [few] { $count } телефона остаются на обслуживании ({ $name }) до { $time }.
        [many] { $count } телефонов остаются на обслуживании ({ $name }) до { $time }.
       *[other] { $count } телефона остаются на обслуживании ({ $name }) до { $time }.
    }
maintenance-then-notified = Если телефоны всё ещё офлайн, вы получите уведомление.
maintenance-then-notified-others = Если другие телефоны всё ещё офлайн, вы получите уведомление.

## features/maintenance/chat.ts

maintenance-command = Отключить уведомления: /maintenance rack-03 2h переезд; без параметров — список
maintenance-back-command = Завершить обслуживание: /back rack-03, /back all
maintenance-phone-offline = На обслуживании { $details }. Офлайн с { $time }
maintenance-phone-online = На обслуживании { $details }. На связи
maintenance-group = На обслуживании { $details }.
maintenance-group-some =
    { $all ->
        [one] На обслуживании: { $count } из { $all } телефона, { $details }.
        [few] На обслуживании: { $count } из { $all } телефонов, { $details }.
        [many] На обслуживании: { $count } из { $all } телефонов, { $details }.
       *[other] На обслуживании: { $count } из { $all } телефона, { $details }.
    }
maintenance-how-long = На какое время? От одной минуты до 30 дней, например 2h.
maintenance-time-hint = Напишите время, например 2h, 90 min, 18:00 или back.
maintenance-has-no-phones = { $name }: телефонов нет.
maintenance-yes = Да
maintenance-no = Нет
maintenance-none-offline-now =
    { $count ->
        [one] { $count } телефон, сейчас офлайн нет
        [few] { $count } телефона, сейчас офлайн нет
        [many] { $count } телефонов, сейчас офлайн нет
       *[other] { $count } телефона, сейчас офлайн нет
    }
maintenance-already = уже на обслуживании: { $count }
maintenance-because = Причина: { $reason }.
maintenance-will-be-muted = Уведомления о них будут отключены.
maintenance-until-when = До какого времени?
maintenance-is-that-right = Всё верно?
maintenance-nothing-to-end = Обслуживания, которое можно завершить, нет.
maintenance-none-matches = Нет обслуживания по запросу { $name }. Сейчас на обслуживании:
maintenance-end-question = Завершить? Если телефоны всё ещё офлайн, вы сразу получите уведомление.
maintenance-end-all-question = Завершить все? Если телефоны всё ещё офлайн, вы сразу получите уведомление.
maintenance-end-it = Завершить
maintenance-end-all = Завершить все
maintenance-which = Какое обслуживание завершить?
maintenance-already-ended = Это обслуживание уже завершено.
maintenance-may-be-saved = Возможно, изменение применено: проверьте через /maintenance.
maintenance-not-changed = Ничего не изменено.
maintenance-not-the-exporter = Ответил не экспортёр.
maintenance-started = Обслуживание начато. { $name }: { $text }. Завершить: /back.

## features/month

month-summary =
    { $interruptions ->
        [one] Продано { $sold } времени, доступность за проданное время { $available }, { $interruptions } прерывание.
        [few] Продано { $sold } времени, доступность за проданное время { $available }, { $interruptions } прерывания.
        [many] Продано { $sold } времени, доступность за проданное время { $available }, { $interruptions } прерываний.
       *[other] Продано { $sold } времени, доступность за проданное время { $available }, { $interruptions } прерывания.
    }
month-offline = Продано и офлайн: { $hours }.
month-offline-cost = Продано и офлайн: { $hours }, около { $amount }.
month-muted = Офлайн на обслуживании: { $hours }.
month-costly-cost = { $name } ({ $hours }, около { $amount })
month-costly-none = Ни один проданный телефон не был офлайн час или дольше.
month-costly = Больше всего проданного времени потеряно: { $names }.
month-no-data = { $month }: данных ещё нет.
month-none-of = нет данных за { $month }
month-no-group = { $month }: нет группы с названием { $name }.
month-no-report = Отчёта нет: { $reason }

## features/month/chat.ts

month-command = Отчёт за месяц: /month, /month racks, /month 2026-10 rack-03
month-not-a-month = { $month } — это не месяц вида 2026-10.
month-other-version = У экспортёра другая версия отчёта
month-csv-semicolon = CSV с ;
month-csv-comma = CSV с ,
month-file = { $month }: одна строка на каждый телефон.

## features/page

page-fleet = Ферма
page-sections = Разделы
page-guide = Справка
page-guide-title = Справка: проблемы и что делать
page-guide-text = Каждый квадрат — это телефон, цвет показывает самую дорогую его проблему. Если обновления не приходят, вы видите последние данные, которые со временем сереют. Нажмите / для поиска; стрелками можно переходить между телефонами группы. Данные этой страницы описаны в docs/API.md, все метрики — в docs/METRICS.md.
page-licences = Лицензии программ на этой странице
page-language = Язык
page-skip = Перейти к телефонам
page-metrics = Метрики
page-health = Состояние
page-newer = Экспортёр новее этой страницы
page-newer-text = Страница перезагрузится сама, когда никто не будет вводить текст. Если это сообщение не исчезает, перезагрузите её.
page-failed = На этой странице произошла ошибка
page-failed-text = { $title } ({ $reason }). Перезагрузите её или откройте
# $parts are what could not be shown, in the words of the next messages.
page-failed-parts = Не показано: { $parts }. Остальное ниже. Перезагрузите страницу; если не поможет, см. JSON.
page-part-failed = «{ $name }» не удаётся показать ({ $reason }). На остальную страницу это не влияет. Перезагрузите страницу или используйте более новый браузер.
page-part-age = давность данных
page-part-phones = телефоны
page-part-accounts = аккаунты
page-part-attention = что требует внимания
page-part-sentence = итоговая фраза
page-part-links = ссылки
page-part-zone = часовой пояс
page-part-version = версия
page-unknown = Неизвестно
page-top = Шапка
page-totals = Итоги
page-phones = Телефоны
page-activity = Активность
page-count-of = { $count } из { $all }
page-times-in = время: { $zone }
page-loading = Загрузка…
page-close = Закрыть
page-cancel = Отменить
page-save = Сохранить
page-not-saved = Не удалось сохранить:
page-request-failed = экспортёр недоступен. { $what }. { $next }
page-try-again = Попробуйте ещё раз.
page-status = код { $status }

# The sentence at the top.
page-attention =
    { $count ->
        [one] { $count } телефон требует внимания
        [few] { $count } телефона требуют внимания
        [many] { $count } телефонов требуют внимания
       *[other] { $count } телефона требуют внимания
    }
page-attention-more =
    { $count ->
        [one] ещё { $count } телефон требует внимания
        [few] ещё { $count } телефона требуют внимания
        [many] ещё { $count } телефонов требуют внимания
       *[other] ещё { $count } телефона требуют внимания
    }
# After one of them, where all are in one group.
page-in = в группе { $group }
page-outages =
    { $count ->
        [1] Сбой: { $names }
        [one] Сбои: { $names }
        [few] Сбои: { $names }
        [many] Сбои: { $names }
       *[other] Сбои: { $names }
    }
page-first-since = первый с { $time }
page-sold-offline =
    { $count ->
        [one] { $count } проданный телефон офлайн
        [few] { $count } проданных телефона офлайн
        [many] { $count } проданных телефонов офлайн
       *[other] { $count } проданного телефона офлайн
    }
page-all-online =
    { $count ->
        [1] Телефон на связи
        [one] Все { $count } телефон на связи
        [few] Все { $count } телефона на связи
        [many] Все { $count } телефонов на связи
       *[other] Все { $count } телефона на связи
    }
page-online =
    { $all ->
        [one] На связи { $online } из { $all } телефона, ничто не требует внимания
        [few] На связи { $online } из { $all } телефонов, ничто не требует внимания
        [many] На связи { $online } из { $all } телефонов, ничто не требует внимания
       *[other] На связи { $online } из { $all } телефона, ничто не требует внимания
    }
page-no-data-yet = Данных ещё нет.
page-no-problems-at = На { $time } проблем нет. С тех пор данных нет.
page-no-problems-so-far = Пока проблем нет. После сбоя телефоны ещё могут быть офлайн.
page-none-in-service = Нет телефонов в эксплуатации
page-nothing-then = Тогда ничто не требовало внимания.
page-last-known = По последним данным: { $title }.
# What happened before, such as "rack-03 was offline 12:17–12:29, 2 sold phones."
page-was-offline = { $name }: офлайн { $span }
page-were-offline = { $name }: офлайн { $span }
page-sold-phones =
    { $count ->
        [one] { $count } проданный телефон
        [few] { $count } проданных телефона
        [many] { $count } проданных телефонов
       *[other] { $count } проданного телефона
    }
page-other-outages =
    { $count ->
        [one] и ещё { $count } сбой
        [few] и ещё { $count } сбоя
        [many] и ещё { $count } сбоев
       *[other] и ещё { $count } сбоя
    }
page-no-recent-alerts = В последнее время уведомлений не было.
page-last-alert = Последнее уведомление: { $what }, { $span }.
page-at = На { $time }

# The wall: what a square shows, in small letters.
cell-sold_offline = продан, офлайн
cell-rented_away = своя аренда, офлайн или без туннеля
cell-offline = офлайн
cell-muted = на обслуживании
cell-sold = продан
cell-self_rented = своя аренда
cell-idle = простаивает
cell-off = не используется
page-legend = Легенда
page-all = Все телефоны
page-no-group = Без группы
page-bar = Телефоны: { $name }
page-card-attention =
    { $count ->
        [one] { $count } из { $all } требует внимания
        [few] { $count } из { $all } требуют внимания
        [many] { $count } из { $all } требуют внимания
       *[other] { $count } из { $all } требуют внимания
    }
page-card-ok = в норме: { $count }
page-card-off = не используются: { $count }
page-card-muted-offline = из них офлайн: { $count }

page-needs-attention = Требует внимания
page-more-phones = и ещё { $count } (Телефоны)
page-for = уже { $duration }
page-mute = Без уведомлений…
page-on-it = Беру на себя
page-take-back = Отказаться

page-balance = Доступный баланс
page-no-data = нет данных
page-of-phones =
    { $count ->
        [one] из { $count } телефона
        [few] из { $count } телефонов
        [many] из { $count } телефонов
       *[other] из { $count } телефона
    }
page-of-accounts = (аккаунты: { $known }/{ $all })
page-count-offline = офлайн: { $count }
page-observed = Изменения по наблюдениям, не выписка со счёта.
page-as-of = На { $time }.
page-set-currency = Валюта не настроена: задайте HOSTER_CURRENCY или accounts[].currency в файле конфигурации.
page-today = { $amount } сегодня
page-out-today = { $amount } списано сегодня
page-this-month = { $amount } в этом месяце
page-since-day = { $amount } с { $day }
page-pending = { $amount } в ожидании

page-removed = Исчезли за последние 24 часа
page-removed-text = Больше нет в списке устройств: архивированы или потеряны. Маркетплейс не сообщает, что именно.
page-was-offline-then = был офлайн
page-was-online-then = был на связи
page-more-json = и ещё { $count } (JSON)
page-rentals = Аренды и новые телефоны
event-rental_begun = Аренда начата
event-rental_ended = Аренда завершена
event-device_joined = Новый телефон

# The table of all phones, the search, and the filters.
page-table = Все телефоны таблицей
page-no-phones = Нет телефонов для показа.
page-none-matches = Ни один телефон не соответствует фильтрам.
page-previous = Предыдущие { $count }
page-next = Следующие { $count }
page-range = { $from }–{ $to } из { $all }
page-search = Поиск: метка, ID, модель…
page-search-phones = Поиск телефонов
page-show = Показать
page-any-problem = Любая проблема
page-state = Состояние
page-clear = Очистить
page-account = Аккаунт
page-all-accounts = Все аккаунты
page-group = Группа
page-all-groups = Все группы
page-tag = Тег
page-all-tags = Все теги
filter-online = На связи
filter-offline = Офлайн
filter-sold = Проданы
filter-self_rented = Своя аренда
filter-idle = Простой
filter-listed = Выставлены
filter-unlisted = Не выставлены
column-phone = Телефон
column-account = Аккаунт
column-problem = Проблема
column-rental = Аренда
column-marketplace = Маркет
column-heartbeat = Последний сигнал
column-tunnel = Туннель
column-rotation = Ротация
column-setup = Настройка
column-model = Модель
column-tags = Теги
page-missing = Нет в последнем списке
page-every = раз в { $interval }
page-since-before = ещё до
page-limit = порог { $duration }
page-ago = { $duration } назад
page-at-time = на { $time }

# One phone.
page-not-found = Телефон { $name } не найден.
page-board = Дашборд Grafana
page-copy = Копировать ID
page-copied = Скопировано.
page-no-problem = Проблем нет.
page-runbook = Что делать
page-part-of = Входит в сбой:
page-offline-after = Офлайн после
page-price = Цена за сутки
page-estimate = { $amount } (оценка)
page-last-day = За 24 ч: { $parts }
page-online-all-day = всё время на связи
day-offline = офлайн { $duration }
day-maintenance = на обслуживании { $duration }
day-unknown = нет данных { $duration }
page-tap-day = Коснитесь дня или используйте стрелки, чтобы увидеть его показатели.
page-csv-semicolon = CSV с точкой с запятой
page-csv-comma = CSV с запятой

## features/history/browser

history-title = В динамике
history-table = Таблица
history-failed = Графиков нет: { $reason }
history-no-library = эта часть страницы не загрузилась. Обновите страницу.
history-days =
    { $count ->
        [one] { $count } день
        [few] { $count } дня
        [many] { $count } дней
       *[other] { $count } дня
    }
history-self-rented = Своя аренда, на связи
history-sold = Проданы
history-offline-phones = Телефоны офлайн
history-yesterday = Вчера
history-offline = Офлайн
history-balance = Изменения баланса
history-balance-in = Изменения баланса, { $currency }
history-in = Поступило
history-out = Списано
# Compared with yesterday at this time.
history-same = офлайн: { $now }, как и вчера в это время
history-more = офлайн: { $now }, на { $count } больше, чем вчера в это время
history-fewer = офлайн: { $now }, на { $count } меньше, чем вчера в это время

## features/incidents/section.tsx

incidents-title = Инциденты за последние 31 день
incidents-link = Инциденты
incidents-more-csv = и ещё { $count } в CSV
incidents-is-open = открыт
incidents-day = { $date }: { $text }
incidents-notes = Заметки
incidents-all = Все
incidents-by-group = Группа
incidents-by-phone = Телефон
incidents-sold-time-offline = Проданное время офлайн
incidents-time-to-acknowledge = Время реакции
incidents-time-to-repair = Время восстановления
incidents-costliest-groups = Самые дорогие группы
incidents-costliest-phones = Самые дорогие телефоны
incidents-compared = (предыдущие 31 день)
# Who wrote a note, before the time; and the file that it is in.
incidents-note-by = автор: { $person },
incidents-note-in = в { $file }
incidents-add-note = Добавить заметку
incidents-correct = Исправить
incidents-remove = Удалить
incidents-remove-note = Удалить эту заметку: { $name }
incidents-note-on = Заметка: { $name }
incidents-you-are-on-it = Этим занимаетесь вы.

## features/maintenance/section.tsx

maintenance-title = На обслуживании
maintenance-text = Уведомления об этих телефонах отключены.
maintenance-long = дольше недели
maintenance-end = Завершить
maintenance-end-of = Завершить: { $name }
maintenance-mute = Отключить уведомления
maintenance-mute-text = В течение этого времени уведомлений об этих телефонах не будет. Если после этого они всё ещё офлайн, вы получите уведомление.
maintenance-reason = Причина
maintenance-reason-optional = Причина (необязательно)
maintenance-hours =
    { $count ->
        [one] { $count } час
        [few] { $count } часа
        [many] { $count } часов
       *[other] { $count } часа
    }
maintenance-days =
    { $count ->
        [one] { $count } день
        [few] { $count } дня
        [many] { $count } дней
       *[other] { $count } дня
    }
maintenance-until-it-is-back = До возврата на связь

## features/month/section.tsx

month-title = Месяц
month-this = Этот месяц
month-group-by = Группировать
month-by-phone = по телефонам
month-by-group = по группам
month-by-model = по моделям
month-tag-by = по тегу { $tag }
month-rows-phone =
    { $count ->
        [one] { $count } телефон
        [few] { $count } телефона
        [many] { $count } телефонов
       *[other] { $count } телефона
    }
month-rows-group =
    { $count ->
        [one] { $count } группа
        [few] { $count } группы
        [many] { $count } групп
       *[other] { $count } группы
    }
month-rows-model =
    { $count ->
        [one] { $count } модель
        [few] { $count } модели
        [many] { $count } моделей
       *[other] { $count } модели
    }
month-tag-rows =
    { $count ->
        [one] { $count } значение тега { $tag }
        [few] { $count } значения тега { $tag }
        [many] { $count } значений тега { $tag }
       *[other] { $count } значения тега { $tag }
    }
month-more = { $rows }, ниже { $shown } худших. В CSV есть все.
month-none = Данных нет.
month-last-days = Последние 31 день
month-heading-phone = Телефон
month-heading-group = Группа
month-heading-model = Модель
month-account = Аккаунт
month-available = Доступность
month-sold = Продано
month-interruptions = Прерывания
month-offline-estimate = Потери офлайн, оценка
month-idle-estimate = Потери простоя, оценка
month-time-sold_offline = Продано, офлайн
month-time-sold_online = Продано, на связи
month-time-maintenance = Обслуживание
month-time-self_rented = Своя аренда
month-time-idle = Простой
month-time-other = Другое
month-time-unknown = Нет данных
month-no-value = без значения

## features/chat

somebody = кто-то
chat-status-command = Проблемы, телефоны офлайн и давность данных
chat-offline-command = Телефоны офлайн: /offline, /offline rack-03
chat-phone-command = Один телефон: /phone slot-04
chat-rack-command = Одна группа: /rack 03
chat-balance-command = Баланс
chat-language-command = Язык этого чата: /language
chat-help-command = Этот список
chat-language-choose = На каком языке мне писать?
chat-language-unknown = Языка «{ $typed }» у меня нет. На каком языке писать?
chat-language-set = Теперь я пишу по-русски.
chat-needs-attention = Требует внимания: { $text }.
chat-offline = Офлайн: { $text }.
chat-nothing = ничего
chat-no-problems-since = проблем нет. С тех пор данных нет
chat-sold-offline = продано и офлайн — { $count }; если это затянется, придёт сообщение
chat-offline-of =
    { $all ->
        [one] { $offline } из { $all } телефона
        [few] { $offline } из { $all } телефонов
        [many] { $offline } из { $all } телефонов
       *[other] { $offline } из { $all } телефона
    }
chat-of-them-sold = из них продано: { $count }
chat-accounts-unknown =
    { $count ->
        [one] нет данных по { $count } аккаунту
        [few] нет данных по { $count } аккаунтам
        [many] нет данных по { $count } аккаунтам
       *[other] нет данных по { $count } аккаунта
    }
chat-offline-unknown = Офлайн: неизвестно.
chat-none-offline = Телефонов офлайн нет.
chat-muted-offline =
    { $count ->
        [one] На обслуживании: { $count } телефон офлайн.
        [few] На обслуживании: { $count } телефона офлайн.
        [many] На обслуживании: { $count } телефонов офлайн.
       *[other] На обслуживании: { $count } телефона офлайн.
    }
chat-muted-offline-in =
    { $count ->
        [one] На обслуживании: { $count } телефон офлайн, { $groups } (см. /rack).
        [few] На обслуживании: { $count } телефона офлайн, { $groups } (см. /rack).
        [many] На обслуживании: { $count } телефонов офлайн, { $groups } (см. /rack).
       *[other] На обслуживании: { $count } телефона офлайн, { $groups } (см. /rack).
    }
# After "and 3 more".
chat-more-offline = (попробуйте { $command })
chat-not-listed = Этого телефона нет в списке устройств.
chat-last-heartbeat = Последний сигнал { $time }, офлайн после { $limit }
chat-no-heartbeat = Последний сигнал: нет, офлайн после { $limit }
# $status is such as "sold" or "idle".
chat-status-since = { $status } с { $time }
chat-status-since-before = { $status } ещё до { $time }
chat-missing = Нет в последнем списке устройств
chat-none-called = Нет телефона или группы с названием { $name }.
chat-did-you-mean = Возможно, вы имели в виду { $name }?
chat-left = { $name } больше нет в списке устройств. Последний раз там: { $time }.
chat-offline-in-it = Офлайн здесь: { $names }.
chat-pending = { $amount } в ожидании
chat-today = { $amount } сегодня
chat-amount-since = { $amount } с { $time }
chat-last-update = последнее обновление { $time }
chat-greeting =
    { $count ->
        [one] Я бот { $whose }: { $count } телефон.
        [few] Я бот { $whose }: { $count } телефона.
        [many] Я бот { $whose }: { $count } телефонов.
       *[other] Я бот { $whose }: { $count } телефона.
    }
chat-greeting-groups =
    { $groups ->
        [one] Я бот { $whose }: { $phones } в { $groups } группе.
        [few] Я бот { $whose }: { $phones } в { $groups } группах.
        [many] Я бот { $whose }: { $phones } в { $groups } группах.
       *[other] Я бот { $whose }: { $phones } в { $groups } группы.
    }
chat-this-fleet = этой фермы
chat-good-morning = Доброе утро.
chat-overnight = За ночь: { $text }.
chat-no-alerts = уведомлений не было
chat-alerts =
    { $count ->
        [one] { $count } уведомление
        [few] { $count } уведомления
        [many] { $count } уведомлений
       *[other] { $count } уведомления
    }
chat-resolved = закрыто: { $count }
chat-muted = на обслуживании: { $count }
chat-sold =
    { $all ->
        [one] Продано { $count } из { $all } телефона
        [few] Продано { $count } из { $all } телефонов
        [many] Продано { $count } из { $all } телефонов
       *[other] Продано { $count } из { $all } телефона
    }
chat-sold-unknown = Продано: неизвестно
chat-balance = Баланс: { $text }.
chat-not-kept = Я сохраняю только текст, поэтому вложение ({ $what }) не сохранено. Ответьте текстом.
chat-text-only = Я сохраняю только текст, без вложения ({ $what }).
chat-note-again = Заметка не сохранена: отправьте её ещё раз позже.
chat-away-since = Экспортёр не отвечает с { $time }.
chat-away = Экспортёр не ответил.
chat-back = Экспортёр снова отвечает.
chat-other-response = Экспортёр ответил кодом { $status } и без данных фермы.
chat-matches =
    { $count ->
        [one] { $count } совпадение.
        [few] { $count } совпадения.
        [many] { $count } совпадений.
       *[other] { $count } совпадения.
    }
chat-matches-first =
    { $count ->
        [one] { $count } совпадение, ниже первые { $shown }. Введите больше символов названия.
        [few] { $count } совпадения, ниже первые { $shown }. Введите больше символов названия.
        [many] { $count } совпадений, ниже первые { $shown }. Введите больше символов названия.
       *[other] { $count } совпадения, ниже первые { $shown }. Введите больше символов названия.
    }
chat-moved = Группа стала супергруппой, ответы приходят под её новым номером. Измените номер в --chats, а также chat_id в Alertmanager: его уведомления сами не перейдут
chat-moved-to = Теперь номер этой группы — { $number }. { $text }.
chat-button-used = Эта кнопка уже использована.
chat-button-expired = Срок действия кнопки истёк. Отправьте команду ещё раз.
chat-which = Что именно? Добавьте после команды название или его часть.
chat-late = Ваша предыдущая команда пришла слишком поздно и была проигнорирована. Отправьте её ещё раз.
chat-group = группа
chat-administrator = администратор ({ $group })
attachment-photo = фото
attachment-video = видео
attachment-animation = анимация
attachment-voice = голосовое сообщение
attachment-video_note = видеосообщение
attachment-audio = аудиофайл
attachment-document = файл
attachment-sticker = стикер
attachment-location = геопозиция
attachment-contact = контакт
attachment-poll = опрос
attachment-other = сообщение

## features/maintenance/command.ts: headings and words of a table in a terminal

maintenance-column-id = id
maintenance-column-covers = что
maintenance-column-phones = телефонов
maintenance-column-offline = офлайн
maintenance-column-until = до
maintenance-column-by = автор
maintenance-column-reason = причина
maintenance-configuration = конфигурация

## features/incidents/command.ts: headings and words of a table in a terminal

incidents-none-since = Инцидентов нет с { $time }.
incidents-none-such-since = Таких инцидентов нет с { $time }.
incidents-somebody-small = кто-то
incidents-still-open = открыт
incidents-column-since = начало
incidents-column-incident = инцидент
incidents-column-subject = где
incidents-column-lasted = длительность
incidents-column-phones = телефоны
incidents-column-acknowledged = кто занимается
incidents-column-id = id
incidents-column-before = инциденты (раньше)
incidents-column-sold = проданное время офлайн
incidents-column-acknowledge = время реакции
incidents-column-repair = время восстановления
incidents-column-longest = самый долгий

## features/month/command.ts: headings and words of a table in a terminal

month-column-name = название
month-column-account = аккаунт
month-column-sold_online = продано, на связи
month-column-sold_offline = продано, офлайн
month-column-self_rented = своя аренда
month-column-idle = простой
month-column-other = другое
month-column-maintenance = обслуживание
month-column-unknown = нет данных
month-column-sold_share = доля продажи
month-column-availability = доступность
month-column-interruptions = прерывания
month-column-offline_estimate = потери офлайн, оценка
month-column-idle_estimate = потери простоя, оценка

## cli/check.ts: what it finds with a key

check-available = доступно { $amount }
check-no-amount = доступной суммы нет
check-right-key = Это ключ нужного аккаунта?

## features/setup

setup-ask-language = Язык: { $languages }
setup-no-language = { $typed } нет среди языков { $languages }.
setup-accounts-kept = Аккаунты в { $file } остаются без изменений.
setup-login = Кнопки на странице фермы запрашивают логин: { $user } и пароль из файла { $file }.
setup-ask-address = Адрес API маркетплейса, например https://api.example.com
setup-ask-key = API-ключ из панели хостера на маркетплейсе
setup-found =
    Найдено: { $phones }
    Баланс: { $balance }
setup-try-again = Пока не работает. Попробуйте ещё раз или нажмите Ctrl-C, чтобы выйти.
setup-continue-anyway = Всё равно продолжить?
setup-kept = Пока действует ваш прежний ответ; исправьте его позже.
setup-using = Использую { $address }.
setup-api-proxied = API отвечает только через прокси из вашего окружения, поэтому экспортёр будет использовать его.
setup-ask-currency = Валюта баланса, например EUR, или none
setup-no-currency = { $typed } — это не код валюты вида EUR.
setup-ask-time-zone = Ваш часовой пояс: для времени в сообщениях и дней в отчётах
setup-ask-channel = Куда отправлять уведомления? Одно из: { $channels }
setup-unknown-channel = Неизвестный канал { $typed }. Возможные: { $channels }.
setup-secret-telegram = Токен вашего бота от @BotFather
setup-secret-ntfy = Адрес вашей темы, например https://ntfy.sh/my-phones-8231
setup-secret-pushover = Токен вашего приложения на pushover.net
setup-secret-discord = Адрес вебхука вашего канала
setup-secret-slack = Адрес входящего вебхука вашего канала
setup-secret-mail = Пароль почтового ящика; пусто, если сервер его не требует
setup-secret-webhook = Адрес, который получает уведомления как JSON
setup-service-proxied = Служба отвечает только через прокси из вашего окружения, поэтому уведомления пойдут через него.
setup-no-address = Это не адрес: он должен начинаться с https://.
setup-no-topic = В адресе нет темы.
setup-no-webhook = В адресе нет вебхука.
setup-discord-unknown = Discord не знает этого вебхука (код { $status }).
setup-ask-pushover-user = Ваш ключ пользователя или группы с pushover.net
setup-no-pushover-user = Это не ключ пользователя: в нём 30 букв и цифр.
setup-no-pushover-token = Это не токен: в нём 30 букв и цифр.
setup-pushover-refused = Pushover отклоняет этот токен.
setup-pushover-status = Pushover отвечает кодом { $status }.
setup-pushover-unknown = Pushover не знает этого ключа пользователя.
setup-ask-mail-server = Почтовый сервер, например mail.example.com, можно с портом: mail.example.com:465
setup-ask-mail-address = Адрес, который отправляет и получает уведомления
setup-no-mail-address = { $typed } — это не почтовый адрес вида me@example.com.
setup-ask-mail-user = Пользователь почтового сервера
setup-mail-refused = { $server } отклонил вход: { $problem }
setup-no-mail-server = { $typed } — это не почтовый сервер вида mail.example.com.
setup-mail-not-accepted = { $host } не принимает почту отсюда ({ $problems }).
setup-ask-first-message = Отправьте боту любое сообщение в Telegram и нажмите здесь Enter; или введите номер чата
setup-ask-chat = Номер чата
setup-using-chat = Использую чат { $number }.
setup-channel-only = Канал только получает уведомления: команды боту там никто не отправит.
setup-ask-bot-answers = Должен ли бот отвечать и на команды, например /status?
setup-no-token = Это не токен бота вида 123456789:AAE… от @BotFather.
setup-token-refused = Telegram отклонил этот токен. Скопируйте его из @BotFather ещё раз.
setup-telegram-silent = Telegram не отвечает: { $reason }.
setup-telegram-refused-chat = Telegram отклонил чат { $number }: { $reason }.
setup-telegram-refused-topic = Telegram отклонил тему { $number }: { $reason }.
setup-no-message = Бот ещё не получил ни одного сообщения.
setup-no-chat = { $typed } — это не номер чата.
setup-supergroup = Группа стала супергруппой. Теперь её номер { $number }.
setup-ask-topic = Номер темы для уведомлений из ссылки на одно из её сообщений; 0 — для General
setup-no-topic-number = { $typed } — это не номер темы.
setup-watchdog = Если эта машина остановится, она не отправит уведомление. Это сделает внешняя служба: например, бесплатная проверка на healthchecks.io.
setup-ask-watchdog = Ping-адрес этой службы, например https://hc-ping.com/…, или none
setup-watchdog-status = Служба отвечает кодом { $status }.
setup-changes = Изменения в { $file }:
setup-write = Записать эти изменения?
setup-lines = { $title } строк: { $count }, показать — d
setup-hidden = (не показывается)
setup-keep = оставить текущее
setup-nothing-written = Ничего не записано.
setup-saved = Сохранено в { $directory }. Далее: { $command }
setup-no-server = Нет сервера с именем { $name }.
setup-test-title = Пробное уведомление: все телефоны на связи
setup-test-text = Если вы это читаете, уведомления до вас доходят. Примерно через две минуты придёт сообщение о завершении.
setup-test-bot = Теперь попробуйте /status.
setup-test-over = проверка завершена
setup-no-test = Канал не настроен, поэтому пробного уведомления нет.
setup-sent = Отправлено: { $channel } принял пробное уведомление.
setup-arrived = Оно пришло?
setup-not-sent = Пробное уведомление не удалось отправить в { $channel }. Смотрите журнал Alertmanager.

## config: texts of alerts (config/prometheus, config/alertmanager)

# The form of a date and a time, by the reference time of Go: 2 January 2006, 15:04.
alert-time = 2.01 15:04
# $reason is how it ended, such as "back online".
alert-over = { $reason }, длительность: { $duration }
alert-over-unknown = закрыто, причина неизвестна
alert-watchdog = Уведомления работают
alert-watchdog-advice = Если это уведомление перестанет приходить, уведомления не работают.
alert-exporter-down = Экспортёр { $instance } не отвечает
alert-exporter-down-advice = Выполните на его машине systemctl status hoster-exporter или docker compose ps
alert-no-exporter = У Prometheus нет экспортёра для опроса
alert-no-exporter-advice = Добавьте задание scrape с именем hoster
alert-exporter-blind = У экспортёра { $instance } нет данных аккаунта { $account }, а у другого экспортёра есть
alert-exporter-blind-advice = Сравните его сеть и ключ с другим экспортёром.
alert-exporter-stalled = Экспортёр { $instance } не опрашивал аккаунт { $account } уже { $duration }
alert-exporter-stalled-advice = Перезапустите его. Его журнал и страница фермы называют файловую систему, которая не отвечает.
alert-exporter-restarting = Экспортёр { $instance } постоянно перезапускается
alert-exporter-restarting-advice = Запусков за 30 минут: { $count }. Смотрите его журнал.
# $file is one of the five below.
alert-file-unusable = Экспортёр { $instance } не может использовать файл: { $file }
alert-file-unusable-advice = Он хранит то, что знает, самое большее до перезапуска. Смотрите его страницу или журнал.
alert-file-configuration = конфигурация
alert-file-state = состояние
alert-file-key = ключ
alert-file-incident = инциденты
alert-file-month = месяц
# $account and $reason, such as "timeout".
alert-key-refused = API-ключ отклонён: аккаунт { $account }
alert-key-refused-advice = Ключ неправильный, или аккаунт заблокирован: проверьте и то, и другое.
alert-api-unavailable = API маркетплейса недоступен: аккаунт { $account } ({ $reason })
alert-api-schema = его ответы изменились
alert-api-unavailable-advice = Прежние уведомления остаются открытыми. Если это продлится час, придёт критическое уведомление.
alert-api-unavailable-long-advice = Проверьте сеть экспортёра, затем обратитесь в маркетплейс.
alert-api-degraded = Данные маркетплейса неполны: аккаунт { $account } ({ $reason })
alert-condition-list_incomplete = список неполон
alert-condition-devices_rejected = телефоны без ID
alert-condition-heartbeats_unreadable = сигналы не читаются
alert-condition-fields_unreadable = поля не читаются
alert-condition-tunnels_unanswered = нет ответов о туннелях
alert-api-degraded-advice = Поищите более новую версию экспортёра, затем обратитесь в маркетплейс.
alert-balance-low = Низкий баланс: аккаунт { $account },{ $amount }
alert-balance-low-advice = Пополните его, иначе маркетплейс отклонит следующую свою аренду.
# $place is such as "rack-01", $counts such as "4 unsold and 36 sold".
alert-outage = Сбой: { $place }, телефонов офлайн:{ $counts }
alert-sold = { $count } прод.
alert-unsold = { $count } непрод.
alert-and = и
alert-outage-advice = Проверьте, что у них общего: питание и интернет на месте, обновление приложения, прокси-хост.
alert-no-cause-advice = Общей причины не найдено. Проверьте интернет на месте, затем телефоны.
alert-sold-offline-advice = За него платит клиент. Проверьте питание, мобильный интернет и приложение.
alert-offline-advice = Проверьте питание, мобильный интернет и приложение.
alert-tunnel-advice = Вы платите за прокси, которым не можете пользоваться. Арендуйте заново или обратитесь в маркетплейс.
alert-left-advice = Если вы его не архивировали, обратитесь в маркетплейс.
alert-earns-nothing-advice = Настройте, выставьте, проверьте цену или архивируйте его.
alert-flapping-advice = Проверьте кабель, зарядку и приём сигнала.
alert-credential-advice = Если это были не вы, проверьте, у кого есть доступ.
# $subject is a phone, a place, or an account with its problem.
alert-not-acknowledged = Никто не взялся: { $subject }
alert-not-acknowledged-advice = Возьмите на себя в чате или на странице фермы либо позвоните ответственному.
alert-acknowledged = кто-то взялся или закрыто

alert-kind-resolved = [ЗАКРЫТО]
alert-kind-muted = [БЕЗ УВЕДОМЛЕНИЙ]
alert-kind-changed = [ИЗМЕНЕНО]
alert-kind-critical = [КРИТИЧНО]
alert-kind-warning = [ВНИМАНИЕ]
alert-kind-info = [ИНФО]
alert-of-account = (аккаунт { $account })
alert-in-total = (всего { $count })
alert-rest = Всего: { $count }. Остальные — на странице фермы.
alert-runbook = Что делать
alert-page = Страница фермы
alert-note = Заметка
alert-notes = Заметки
alert-on-it = Беру на себя
alert-on-it-each = Беру на себя: нажмите команду после строки
alert-on-it-all = все
alert-phones-now = Телефоны сейчас
