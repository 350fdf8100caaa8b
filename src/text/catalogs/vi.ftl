# Vietnamese. No native speaker has read this catalog yet.
#
# $-variables are what the program fills in. Names of phones, groups, accounts and people are text by others and stay as they are.

## fleet: problems of phones

problem-sold_offline = Đã bán, offline
problem-sold_offline-meaning = Khách đang trả tiền cho máy này mà máy lại offline.
problem-sold_offline-advice = Kiểm tra nguồn điện, dữ liệu di động và app: máy offline càng lâu thì tiền hoàn càng lớn.
problem-self_rented_offline = Tự thuê, offline
problem-self_rented_offline-meaning = Bạn đang trả tiền thuê máy này mà máy lại offline.
problem-self_rented_offline-advice = Kiểm tra nguồn điện, dữ liệu di động và app, hoặc kết thúc lượt thuê.
problem-tunnel_missing = Không có tunnel
problem-tunnel_missing-meaning = Bạn đang thuê máy này nhưng máy không có tunnel, nên bạn không dùng được.
problem-tunnel_missing-advice = Tạo tunnel trong trang quản lý hoster, hoặc kết thúc lượt thuê.
problem-tunnel_down = Tunnel bị sập
problem-tunnel_down-meaning = Bạn đang thuê máy này. Máy online nhưng tunnel của máy bị sập.
problem-tunnel_down-advice = Khởi động lại app. Nếu nhiều tunnel cùng sập thì nhiều khả năng là do sàn.
problem-tunnel_without_login = Tunnel thiếu đăng nhập
problem-tunnel_without_login-meaning = Bạn đang thuê máy này. Tunnel vẫn chạy nhưng không có thông tin đăng nhập nào đang hoạt động.
problem-tunnel_without_login-advice = Tạo thông tin đăng nhập trong trang quản lý hoster.
problem-offline = Offline
problem-offline-meaning = Máy không gửi tín hiệu đã lâu hơn bình thường. Chừng nào chưa có tín hiệu lại thì chưa ai thuê được.
problem-offline-advice = Kiểm tra nguồn điện, dữ liệu di động và app.
problem-heartbeat_unreadable = Không có tín hiệu
problem-heartbeat_unreadable-meaning = Sàn không cho biết lần cuối máy này online là khi nào.
problem-heartbeat_unreadable-advice = Kiểm tra máy trong trang quản lý hoster và khởi động lại app của máy.
problem-rotation_stopped = Ngừng xoay IP
problem-rotation_stopped-meaning = Chế độ xoay IP đang bật thì bị ngừng.
problem-rotation_stopped-advice = Bật lại, trừ khi chính bạn đã tắt.
problem-not_set_up = Chưa thiết lập
problem-not_set_up-meaning = Máy chưa thiết lập xong nên không ai thuê được.
problem-not_set_up-advice = Hoàn tất thiết lập trong trang quản lý hoster, hoặc lưu trữ máy.
problem-not_listed = Online, chưa đăng
problem-not_listed-meaning = Máy online và đang trống nhưng chưa đăng nên không ai thuê được.
problem-not_listed-advice = Đăng máy lên sàn.
problem-idle_too_long = Nhiều ngày không ai thuê
problem-idle_too_long-meaning = Máy đã đăng nhưng lâu rồi không ai thuê (problems.idle_after).
problem-idle_too_long-advice = So sánh với các máy cùng model, cùng chỗ đang được thuê.
problem-given_up = Offline nhiều ngày
problem-given_up-meaning = Không ai thuê máy, và máy đã offline từ lâu (problems.given_up_after).
problem-given_up-advice = Sửa máy hoặc lưu trữ máy.
problem-in_maintenance = Đang bảo trì
problem-in_maintenance-meaning = Cảnh báo của máy này đang tắt.
problem-in_maintenance-advice = Kết thúc bảo trì khi bạn làm xong.
no-problems = Không có vấn đề

## fleet: incidents that are no problem of a single phone, and how incidents end

incident-flapping = Online/offline chập chờn
incident-credential_changed = Thông tin đăng nhập thay đổi
incident-left = Không còn trên sàn
incident-earns_nothing = Không có doanh thu
incident-common_cause = Mất kết nối
incident-many_sold_offline = Mất kết nối hàng loạt máy đã bán
incident-many_offline = Mất kết nối hàng loạt
incident-many_left = Nhiều máy không còn trên sàn
incident-many_credentials_changed = Thông tin đăng nhập của nhiều tunnel thay đổi
incident-key_refused = Khóa API bị từ chối
incident-api_unavailable = API của sàn không dùng được
incident-api_degraded = Dữ liệu của sàn không đầy đủ
incident-tunnels_unreadable = Không có dữ liệu tunnel
incident-balance_unreadable = Không xem được số dư
incident-balance_low = Số dư thấp

end-back = online trở lại
end-left = đã ra khỏi danh sách thiết bị
end-returned = có lại trong danh sách
end-rented = đã được thuê
end-rental_ended = lượt thuê đã kết thúc
end-given_up = đã bỏ
end-not_set_up = không còn được thiết lập
end-offline = chính máy bị offline
end-works_again = đã chạy lại
end-readable = đã đọc lại được
end-mended = đã sửa
end-answers_again = đã phản hồi lại
end-key_taken = khóa được chấp nhận
end-paid_in = đã nạp tiền
end-limit_removed = giới hạn đã được bỏ
end-calm = ổn định trở lại
end-notified = sự kiện một lần
end-maintenance = đang bảo trì
end-limit_changed = ngưỡng đã đổi
end-clock_set = đồng hồ bị sai
end-account_removed = tài khoản đã bị gỡ
# $reason is one of the messages above, such as "rented now".
end-still-offline = { $reason }, vẫn offline

## fleet: statuses of phones, rentals and tunnels, in small letters

status-sold = đã bán
status-self_rented = tự thuê
status-idle = trống
status-other = khác
status-listed = đã đăng
status-not_listed = chưa đăng
status-awaiting_device_details = chờ thông tin
status-awaiting_agent = chờ agent
status-active = hoạt động
status-draft = bản nháp
status-incomplete = chưa xong
status-complete = đã xong
status-enabled = đang bật
status-disabled = đã tắt
status-stopped = đã ngừng
status-paused = tạm dừng
status-up = đang chạy
status-down = bị sập
status-none = không có
status-unknown = không rõ
status-sold_online = đã bán online
status-sold_offline = đã bán offline
status-maintenance = bảo trì
status-rotation_stopped = ngừng xoay IP
status-not_set_up = chưa thiết lập
status-idle_too_long = trống quá lâu
status-given_up = đã bỏ

## fleet: phones and their numbers

phones = { $count } máy
count-sold = { $count } đã bán
count-not-set-up = { $count } chưa thiết lập
# Phones whose alerts are muted, because somebody works on them.
count-muted = { $count } đang bảo trì
# Such as "9 of 12 phones offline".
count-offline-of = { $offline }/{ $all } máy offline
group = Nhóm
# Such as "12 phones, 11 online, 4 sold".
group-counts = { $count } máy, { $online } online, { $sold } đã bán
all-phones = tất cả máy
all-phones-of = tất cả máy của { $account }
no-group = không có nhóm
several-groups = nhiều nhóm
unnamed = chưa đặt tên
mute-2h = Tắt cảnh báo 2 giờ
mute-back = Tắt cảnh báo đến khi online lại
# Why the exporter refused a change.
not-changed = Không có gì thay đổi: { $reason }
# A phone or a group with its account, where there are several accounts.
name-of = { $name } của { $account }
# A group that several accounts have.
name-of-all-accounts = { $name } của mọi tài khoản
# The rest of a list.
and-more = và { $count } mục nữa
no-phones = Không có máy nào. Khóa API có đúng không?
no-phones-in = Không có máy nào trong { $names }. Khóa API có đúng không?

## fleet: outages

place-tunnel_host = host tunnel { $value }
place-account = tài khoản { $value }
place-app_version = phiên bản app { $value }
place-model = model { $value }
cause-advice-group = Kiểm tra nguồn điện và kết nối internet của nhóm.
cause-advice-tunnel_host = Có lẽ host proxy bị sập.
cause-advice-account = Kiểm tra kết nối internet tại chỗ đặt máy, hoặc hỏi sàn.
cause-advice-app_version = Nhiều khả năng là do bản cập nhật của app.
cause-advice-model = Nhiều khả năng là do lỗi của model này.
cause-advice-other = Kiểm tra xem các máy còn điểm chung nào khác.
cause-within = Các máy offline cách nhau không quá { $span }.
cause-others =
    { $count ->
        [0] Không có máy nào khác offline vào lúc đó.
       *[other] Có { $count } máy khác cũng offline vào lúc đó.
    }
cost-per-hour = khoảng { $amount } mỗi giờ (ước tính)
acknowledged-at = đã nhận xử lý lúc { $time }
acknowledged-by = { $person } đang xử lý từ { $time }

## fleet: times

seconds = { $count } giây
minutes = { $count } phút
hours = { $count } giờ
days = { $count } ngày
since = từ { $time }
more-than = hơn { $duration }
unknown-time = thời điểm không rõ
offline-after = Offline sau { $limit } không có tín hiệu.
offline-after-beats = Máy thường gửi tín hiệu mỗi { $usual } và được phép lỡ { $beats } tín hiệu liên tiếp.
offline-after-longest = Khoảng cách bình thường dài nhất trong { $days } ngày: { $longest }.
offline-after-excused = Không tính: { $span } sàn không phản hồi.

## fleet: the age of the data

state-fresh = Mới nhất
state-stale = Không cập nhật
state-expired = Đã cũ
data-some-accounts = { $state } ({ $affected }/{ $all } tài khoản)
data-waiting = Đang chờ exporter
data-unreachable = Không kết nối được exporter
data-loading = Đang tải
data-first-poll = Đang chờ lần truy vấn đầu tiên
data-none = Chưa có dữ liệu
# The age of the data, such as "3 min old".
data-age = { $age } trước
data-age-none = chưa có
# The age, and why the data is not fresh.
data-text = Dữ liệu: { $text }.
# Before something that was true at that time.
as-of = Tính đến { $time }:
unknown-too-old = không rõ, vì dữ liệu đã quá cũ
unknown-no-data = không rõ, vì chưa có dữ liệu

# What the exporter has done. A time may follow, as in message "since".
request-no-response = Exporter không phản hồi
request-login = Exporter yêu cầu đăng nhập
request-foreign = Một trang đăng nhập hoặc máy chủ khác phản hồi thay cho exporter
request-upgraded = Exporter đã được nâng cấp
request-status = Exporter phản hồi với mã trạng thái { $status }
next-keeps-trying = Trang vẫn đang thử lại.
next-waiting = Trang đang chờ phản hồi.
next-log-in = Tải lại trang này để đăng nhập.
next-may-log-in = Tải lại trang này: có thể bạn sẽ phải đăng nhập.
next-reload = Tải lại trang này.

notice-settings = Một số cấu hình bị bỏ qua
notice-files = Một số tệp không dùng được
notice-in-the-log = { " " }trong log của exporter
notice-page-without-data = Trang chưa có dữ liệu.
notice-data-from = Bạn đang xem dữ liệu lúc { $time }, { $age } trước.
notice-data-age = Bạn đang xem dữ liệu của { $age } trước.
notice-waiting-since = Không có tin của exporter từ { $time }
notice-unreachable = Không kết nối được với exporter
notice-learning = Đang tìm hiểu tần suất gửi tín hiệu của các máy, đến { $time }
notice-learning-text = Lúc đầu, máy bị coi là offline sau 10 phút không có tín hiệu; về sau là 3 đến 30 phút, tùy máy. Bạn đã nhận được cảnh báo về máy offline, mất kết nối, khóa bị từ chối và sàn không phản hồi.
notice-phones-at = Bạn đang xem tình trạng máy lúc { $time }.
notice-key-retry = Cho đến lúc đó, exporter thử lại khóa hiện tại mỗi 5 phút.
notice-back = Sàn đã hoạt động lại. Các máy có thời gian đến { $time } để gửi tín hiệu
notice-back-text = Các máy không gửi được tín hiệu trong lúc sàn mất kết nối. Cho đến lúc đó, các máy chưa bị coi là offline.
notice-no-poll = Từ đó chưa có lần truy vấn nào hoàn tất.
notice-retrying = Thử lại mỗi { $interval }.
news-devices-since = Không có tin của sàn từ { $time }
news-devices-yet = Chưa có tin của sàn
news-tunnels-since = Không có tin về các tunnel từ { $time }
news-tunnels-yet = Chưa có tin về các tunnel
news-balance-since = Không có tin về số dư từ { $time }
news-balance-yet = Chưa có tin về số dư
# $title is one of the messages above.
news-not-phones = { $title }: không phải do máy của bạn

access-missing_key = Sàn không nhận được khóa (MISSING_API_KEY): có thể một proxy đã gỡ mất khóa.
access-invalid_key = Sàn từ chối khóa (INVALID_API_KEY): khóa sai, hoặc tài khoản bị đình chỉ.
access-suspended = Tài khoản bị đình chỉ, hoặc khóa sai (HOSTER_BANNED): xem trang quản lý hoster để biết là trường hợp nào.
access-denied = Sàn từ chối khóa.
key-file-of-systemd = tệp mà dịch vụ systemd nạp (LoadCredential)
key-environment = môi trường của exporter
key-without-phones = Khóa trong { $place } không có máy nào tại { $address }.
key-new-variable = Đặt khóa mới trong { $place } rồi khởi động lại exporter.
key-new-systemd = Ghi khóa mới vào { $place } rồi chạy: { $command }.
key-new-service = Ghi khóa mới vào { $place } rồi khởi động lại dịch vụ.
key-new-file = Ghi khóa mới vào { $place }. Lần truy vấn tiếp theo sẽ dùng khóa này, không cần khởi động lại.

failure-dns = Không phân giải được host trong api_url. Kiểm tra chính tả của host và DNS của máy chủ này.
failure-connect = Không kết nối được. Kiểm tra api_url, tường lửa, và xem API có đang chạy không.
failure-reset = Kết nối bị ngắt trước khi có phản hồi. Nếu kéo dài, hãy hỏi sàn.
failure-timeout = Phản hồi quá lâu. Nếu kéo dài, hãy tăng client.timeout.
failure-tls = Bắt tay TLS thất bại. Kiểm tra host và cổng trong api_url, đồng hồ, và client.ca_file nếu bạn dùng.
failure-redirect = API đã chuyển hướng yêu cầu. Exporter không đi theo chuyển hướng, vì như vậy sẽ gửi kèm khóa. Nếu địa chỉ mới đúng là API, hãy ghi vào api_url. Đó cũng có thể là trang đăng nhập của mạng này.
failure-edge_block = Một proxy trước API, hoặc mạng này, đã từ chối yêu cầu. Hãy hỏi sàn xem địa chỉ của bạn có bị chặn không.
failure-envelope = Phản hồi không phải là một đối tượng JSON có success và data. Kiểm tra xem api_url có đúng là địa chỉ gốc của API không, và mạng này có đòi đăng nhập không.
failure-encoding = Phản hồi không phải UTF-8, hoặc dùng kiểu nén lạ. Kiểm tra xem có proxy nào sửa phản hồi không.
failure-truncated = Phản hồi bị cắt giữa chừng. Nếu kéo dài, hãy hỏi sàn.
failure-too_large = Phản hồi quá lớn. Kiểm tra xem api_url có đúng là địa chỉ gốc của API không.
failure-schema = Dữ liệu không khớp với tài liệu API. Có thể API đã thay đổi: hãy tìm phiên bản mới hơn.
failure-unauthorized = Khóa bị thiếu hoặc không hợp lệ, hoặc tài khoản bị đình chỉ. Hãy kiểm tra cả hai.
failure-throttled = Quá nhiều yêu cầu. Hãy truy vấn thưa hơn, hoặc giảm client.concurrency.
failure-server = API bị lỗi (mã trạng thái 5xx). Nếu kéo dài, hãy hỏi sàn.
failure-not_found = Không tìm thấy API tại địa chỉ này. Kiểm tra xem api_url có đúng là địa chỉ gốc của API không.
failure-bad_request = API đã từ chối yêu cầu. Có thể API đã thay đổi: hãy tìm phiên bản mới hơn.
failure-inconsistent = Dữ liệu tự mâu thuẫn. Nếu kéo dài, hãy hỏi sàn.
failure-internal = Đây là lỗi của hoster-exporter. Vui lòng báo lỗi này.

## features/incidents

incidents-total = tổng
incidents-none = Không có sự cố
incidents-last-days = { $days } ngày qua
incidents-since = Từ { $time } (trước đó không có dữ liệu)
incidents-count = { $count } sự cố
incidents-outages = { $count } đợt mất kết nối
incidents-open = { $count } chưa giải quyết
incidents-more-open = và { $count } sự cố nữa chưa giải quyết
incidents-median-acknowledge = trung vị thời gian nhận xử lý { $duration }
incidents-median-repair = trung vị thời gian khắc phục { $duration }
incidents-longest = lâu nhất { $duration }
incidents-week-none = { $period }: không có sự cố.
incidents-week-before = Tuần trước đó: { $count } sự cố.
incidents-days-before = 31 ngày trước đó: { $numbers }.
# Places, each with its sold time offline.
incidents-worst = Tệ nhất: { $names }.
incidents-worst-phones = Máy: { $names }.
# $time is such as "3 h 10 min (about €2.50, estimated), before: 1 h".
incidents-sold-time = Thời gian đã bán bị offline: { $time }.
incidents-sold-cost = (khoảng { $amount }, ước tính)
incidents-before = trước đó: { $duration }
incidents-balance = Số dư ghi nhận: +{ $in }, −{ $out }.
incidents-failed = Không tải được các sự cố: { $reason }
incidents-nobody-any-more = Không còn ai xử lý.
incidents-nobody = Chưa ai xử lý.
incidents-is-on-it = { $person } đang xử lý.
incidents-has-been-on-it = { $person } đang xử lý từ { $time }.
incidents-somebody = Ai đó
incidents-noted-saved = Đã lưu ghi chú.
incidents-noted-corrected = Đã sửa ghi chú.
incidents-noted-removed = Đã xóa ghi chú.
incidents-note-gone = Ghi chú này không còn nữa.
incidents-note-length = ghi chú có từ 1 đến { $max } ký tự, ghi chú này có { $count }
incidents-no-phone = Không có máy nào mang ID hoặc nhãn này.
incidents-several-phones = Có { $count } máy mang tên này: hãy dùng ID, hoặc thêm tài khoản.
incidents-not-open = Sự cố này không còn mở: có thể đã được giải quyết.
incidents-no-such-id = Không có sự cố nào mang ID này.
incidents-several-accounts = Nhiều tài khoản có sự cố mang ID này: hãy thêm tài khoản.
incidents-other-version = Exporter dùng phiên bản sự cố khác

## features/incidents/chat.ts

incidents-log-command = Sự cố trong 31 ngày, sự cố đang mở trước: /log, /log rack-03
incidents-ack-command = Tôi xử lý: /ack liệt kê các sự cố đang mở
incidents-note-command = Ghi chú cho máy: /note rack-03/slot-04 pin bị phồng; hoặc trả lời một cảnh báo
incidents-notes-command = Ghi chú: /notes, /notes rack-03
incidents-no-such-code = Không có sự cố nào mang số này.
incidents-not-about = Tin nhắn này không nói về sự cố đang mở nào. /ack liệt kê các sự cố đó.
incidents-none-called = Không có sự cố đang mở nào tên là { $name }. /ack liệt kê các sự cố đó.
incidents-which = Bạn xử lý sự cố nào?
incidents-free = Chưa ai xử lý các sự cố này. Bạn xử lý sự cố nào?
incidents-which-note = Ghi chú này cho mục nào?
incidents-is-it-this-phone = Ghi chú cho máy này?
incidents-no-subject = Chưa lưu gì: tin nhắn này không nói về máy hay sự cố nào. Hãy trả lời một cảnh báo, hoặc viết /note rack-03/slot-04 kèm ghi chú.
incidents-edit-note = Muốn sửa ghi chú, hãy sửa tin nhắn của bạn.
incidents-not-corrected = Ghi chú không thay đổi. Muốn chuyển sang máy khác, hãy xóa rồi viết lại.
incidents-nothing-to-mute = Không có máy nào để tắt cảnh báo.
incidents-mute-phones = tắt cảnh báo các máy này?
incidents-none-known = Chưa biết có sự cố nào đang mở. Dữ liệu: { $text }.
incidents-none-open = Không có sự cố nào đang mở.
incidents-all-acknowledged = Mọi sự cố đang mở đều đã có người nhận xử lý.
incidents-take-it-back = Hủy nhận xử lý
incidents-on-it = Tôi xử lý: { $name }
incidents-mute = Tắt cảnh báo: { $name }
incidents-name-since = { $name } từ { $time }
# How an incident ended, before the time.
incidents-label-resolved = { $name }, đã giải quyết lúc { $time }
incidents-label-muted = { $name }, đã tắt cảnh báo lúc { $time }
incidents-label-changed = { $name }, đã đổi lúc { $time }
incidents-ended-resolved = { $name } đã được giải quyết lúc { $time }{ $why }.
incidents-ended-muted = { $name } đã bị tắt cảnh báo lúc { $time }{ $why }.
incidents-ended-changed = { $name } đã kết thúc lúc { $time }{ $why }.
incidents-goes-on = Sự cố tiếp diễn dưới tên { $name }: { $command }
incidents-note-after-name = Viết ghi chú sau tên: /note rack-03/slot-04 pin bị phồng
incidents-note-after-command = Viết ghi chú sau lệnh, hoặc chỉ cần trả lời bằng ghi chú.
incidents-remove-it = Xóa
incidents-remove-text = Xóa: { $text }
incidents-note = Ghi chú: { $text }
incidents-no-notes = Không có ghi chú.

## features/maintenance

maintenance-unknown-account = Không có tài khoản “{ $name }”.
maintenance-unknown-group = Không có nhóm “{ $name }”.
maintenance-unknown-phone = Không có máy “{ $name }”.
maintenance-known = Hiện có: { $names }.
maintenance-did-you-mean = Ý bạn là “{ $name }”?
maintenance-counts = { $count } máy, { $offline } offline
maintenance-by = do { $person } đặt
# $until is one of the messages below, such as "until 23:28".
maintenance-muted = { $name }: đã tắt cảnh báo { $until } ({ $counts })
maintenance-muted-by = { $name }: { $person } đã tắt cảnh báo { $until } ({ $counts })
maintenance-until = đến { $time }
maintenance-until-back = đến khi từng máy online lại, muộn nhất { $time }
maintenance-until-gone-and-back = đến khi từng máy offline rồi online lại, muộn nhất { $time }
maintenance-none = Không có máy nào đang bảo trì.
maintenance-list = Đang bảo trì:
maintenance-ended = Đã kết thúc bảo trì { $name }.
maintenance-none-offline = { $count } máy, không máy nào offline
maintenance-back = { $back }/{ $all } máy online trở lại
maintenance-still-offline = Offline: { $names }.
# In that list.
maintenance-phone-since = { $name } từ { $time }
maintenance-extended = đã gia hạn
maintenance-ended-now = Đã kết thúc bảo trì.
maintenance-stays = { $count } máy vẫn bảo trì theo { $name }, đến { $time }.
maintenance-then-notified = Nếu vẫn còn máy offline, bạn sẽ được thông báo.
maintenance-then-notified-others = Nếu vẫn còn máy khác offline, bạn sẽ được thông báo.

## features/maintenance/chat.ts

maintenance-command = Tắt cảnh báo: /maintenance rack-03 2h chuyển chỗ; chỉ gõ lệnh thì liệt kê bảo trì
maintenance-back-command = Kết thúc bảo trì: /back rack-03, /back all
maintenance-phone-offline = Đang bảo trì { $details }: offline từ { $time }
maintenance-phone-online = Đang bảo trì { $details }: online
maintenance-group = Đang bảo trì { $details }.
maintenance-group-some = Đang bảo trì: { $count }/{ $all } máy, { $details }.
maintenance-how-long = Trong bao lâu? Ít nhất một phút, nhiều nhất 30 ngày, chẳng hạn 2h.
maintenance-time-hint = Hãy viết thời gian như 2h, 90 min, 18:00 hoặc back.
maintenance-has-no-phones = { $name } không có máy nào.
maintenance-yes = Có
maintenance-no = Không
maintenance-none-offline-now = { $count } máy, hiện không máy nào offline
maintenance-already = trong đó { $count } đang bảo trì sẵn
maintenance-because = Lý do: { $reason }.
maintenance-will-be-muted = Cảnh báo của các máy này sẽ tắt.
maintenance-until-when = Đến khi nào?
maintenance-is-that-right = Đúng không?
maintenance-nothing-to-end = Không có bảo trì nào để kết thúc.
maintenance-none-matches = Không có bảo trì nào khớp với { $name }. Đang có:
maintenance-end-question = Kết thúc? Nếu vẫn còn máy offline, bạn sẽ được thông báo ngay.
maintenance-end-all-question = Kết thúc tất cả? Nếu vẫn còn máy offline, bạn sẽ được thông báo ngay.
maintenance-end-it = Kết thúc
maintenance-end-all = Kết thúc tất cả
maintenance-which = Bạn muốn kết thúc bảo trì nào?
maintenance-already-ended = Bảo trì này đã kết thúc rồi.
maintenance-may-be-saved = Thay đổi có thể đã được áp dụng: xem bằng /maintenance.
maintenance-not-changed = Không có gì thay đổi.
maintenance-not-the-exporter = Bên phản hồi không phải là exporter.
maintenance-started = Đã bắt đầu bảo trì. { $name }: { $text }. Kết thúc bằng /back.

## features/month

month-summary = Đã bán { $sold } tổng thời gian, sẵn sàng { $available } thời gian đã bán, { $interruptions } lần gián đoạn.
month-offline = Đã bán mà offline { $hours }.
month-offline-cost = Đã bán mà offline { $hours }, khoảng { $amount }.
month-muted = Offline trong lúc bảo trì: { $hours }.
month-costly-cost = { $name } ({ $hours }, khoảng { $amount })
month-costly-none = Không có máy nào đã bán mà offline từ một giờ trở lên.
month-costly = Mất nhiều thời gian đã bán nhất: { $names }.
month-no-data = { $month }: chưa có dữ liệu.
month-none-of = không có dữ liệu của { $month }
month-no-group = { $month }: không có nhóm nào tên là { $name }.
month-no-report = Không có báo cáo: { $reason }

## features/month/chat.ts

month-command = Báo cáo tháng: /month, /month racks, /month 2026-10 rack-03
month-not-a-month = { $month } không phải là tháng kiểu 2026-10.
month-other-version = Exporter dùng phiên bản báo cáo khác
month-csv-semicolon = CSV với ;
month-csv-comma = CSV với ,
month-file = { $month }: mỗi máy một dòng.

## features/page

page-fleet = Dàn máy
page-sections = Các mục
page-guide = Hướng dẫn
page-guide-title = Hướng dẫn: các vấn đề và cách xử lý
page-guide-text = Mỗi ô vuông là một máy, tô màu theo vấn đề gây thiệt hại nhất của máy. Nếu không cập nhật được, bạn thấy dữ liệu cuối cùng, sau một lúc sẽ chuyển sang màu xám. Nhấn / để tìm kiếm; các phím mũi tên di chuyển giữa các máy trong nhóm. Xem docs/API.md về dữ liệu của trang này, và docs/METRICS.md về mọi chỉ số.
page-licences = Giấy phép của phần mềm trên trang này
page-language = Ngôn ngữ
page-skip = Chuyển tới danh sách máy
page-metrics = Chỉ số
page-health = Tình trạng
page-newer = Exporter mới hơn trang này
page-newer-text = Trang sẽ tự tải lại khi không còn ai gõ. Nếu thông báo này vẫn còn, hãy tải lại trang.
page-failed = Trang này gặp lỗi
page-failed-text = { $title } ({ $reason }). Hãy tải lại trang, hoặc mở
# $parts are what could not be shown, in the words of the next messages.
page-failed-parts = Không hiển thị được: { $parts }. Phần còn lại ở bên dưới. Hãy tải lại trang; nếu vẫn vậy, hãy xem JSON.
page-part-failed = Không hiển thị được “{ $name }” ({ $reason }). Phần còn lại của trang không bị ảnh hưởng. Hãy tải lại trang, hoặc dùng trình duyệt mới hơn.
page-part-age = độ mới của dữ liệu
page-part-phones = các máy
page-part-accounts = các tài khoản
page-part-attention = những gì cần chú ý
page-part-sentence = câu tóm tắt
page-part-links = các liên kết
page-part-zone = múi giờ
page-part-version = phiên bản
page-unknown = Không rõ
page-top = Đầu trang
page-totals = Tổng số
page-phones = Máy
page-activity = Hoạt động
page-count-of = { $count }/{ $all }
page-times-in = giờ { $zone }
page-loading = Đang tải …
page-close = Đóng
page-cancel = Hủy
page-save = Lưu
page-not-saved = Không lưu được:
page-request-failed = không kết nối được với exporter. { $what }. { $next }
page-try-again = Hãy thử lại.
page-status = mã trạng thái { $status }

# The sentence at the top.
page-attention = { $count } máy cần chú ý
page-attention-more = { $count } máy khác cần chú ý
# After one of them, where all are in one group.
page-in = ở { $group }
page-outages = { $count } đợt mất kết nối: { $names }
page-first-since = máy đầu tiên từ { $time }
page-sold-offline = { $count } máy đã bán bị offline
page-all-online = Toàn bộ { $count } máy online
page-online = { $online }/{ $all } máy online, không có gì cần chú ý
page-no-data-yet = Chưa có dữ liệu.
page-no-problems-at = Không có vấn đề tính đến { $time }. Từ đó không có dữ liệu.
page-no-problems-so-far = Đến giờ chưa có vấn đề. Có thể vẫn còn máy offline từ đợt mất kết nối.
page-none-in-service = Không có máy nào đang hoạt động
page-nothing-then = Lúc đó không có gì cần chú ý.
page-last-known = Lần cuối biết được: { $title }.
# What happened before, such as "rack-03 was offline 12:17–12:29, 2 sold phones."
page-was-offline = { $name } đã offline { $span }
page-were-offline = { $name } đã offline { $span }
page-sold-phones = { $count } máy đã bán
page-other-outages = và { $count } đợt mất kết nối khác
page-no-recent-alerts = Gần đây không có cảnh báo.
page-last-alert = Cảnh báo gần nhất: { $what }, { $span }.
page-at = Lúc { $time }

# The wall: what a square shows, in small letters.
cell-sold_offline = đã bán, offline
cell-rented_away = tự thuê, offline hoặc không có tunnel
cell-offline = offline
cell-muted = đang bảo trì
cell-sold = đã bán
cell-self_rented = tự thuê
cell-idle = trống
cell-off = không dùng
page-legend = Chú giải
page-all = Tất cả máy
page-no-group = Không có nhóm
page-bar = Máy: { $name }
page-card-attention = { $count }/{ $all } cần chú ý
page-card-ok = { $count } OK
page-card-off = { $count } không dùng
page-card-muted-offline = trong đó { $count } offline

page-needs-attention = Cần chú ý
page-more-phones = và { $count } máy nữa (Máy)
page-for = đã { $duration }
page-mute = Tắt cảnh báo …
page-on-it = Tôi xử lý
page-take-back = Hủy nhận

page-balance = Số dư khả dụng
page-no-data = không có dữ liệu
page-of-phones = trên { $count } máy
page-of-accounts = ({ $known }/{ $all } tài khoản)
page-count-offline = { $count } offline
page-observed = Các thay đổi quan sát được, không phải sao kê tài khoản.
page-as-of = Tính đến { $time }.
page-set-currency = Chưa cấu hình loại tiền: đặt HOSTER_CURRENCY, hoặc accounts[].currency trong tệp cấu hình.
page-today = { $amount } hôm nay
page-out-today = { $amount } tiền ra hôm nay
page-this-month = { $amount } tháng này
page-since-day = { $amount } từ { $day }
page-pending = { $amount } đang chờ

page-removed = Bị gỡ trong 24 giờ qua
page-removed-text = Không còn trong danh sách thiết bị: đã lưu trữ hoặc bị mất. Sàn không cho biết là trường hợp nào.
page-was-offline-then = lúc đó offline
page-was-online-then = lúc đó online
page-more-json = và { $count } mục nữa (JSON)
page-rentals = Lượt thuê và máy mới
event-rental_begun = Bắt đầu thuê
event-rental_ended = Kết thúc thuê
event-device_joined = Máy mới

# The table of all phones, the search, and the filters.
page-table = Bảng tất cả máy
page-no-phones = Không có máy nào để hiển thị.
page-none-matches = Không có máy nào khớp với bộ lọc.
page-previous = { $count } máy trước
page-next = { $count } máy sau
page-range = { $from }–{ $to } trên { $all }
page-search = Tìm nhãn, ID, model …
page-search-phones = Tìm máy
page-show = Hiển thị
page-any-problem = Vấn đề bất kỳ
page-state = Trạng thái
page-clear = Xóa lọc
page-account = Tài khoản
page-all-accounts = Mọi tài khoản
page-group = Nhóm
page-all-groups = Mọi nhóm
page-tag = Thẻ
page-all-tags = Mọi thẻ
filter-online = Online
filter-offline = Offline
filter-sold = Đã bán
filter-self_rented = Tự thuê
filter-idle = Trống
filter-listed = Đã đăng
filter-unlisted = Chưa đăng
column-phone = Máy
column-account = Tài khoản
column-problem = Vấn đề
column-rental = Thuê
column-marketplace = Sàn
column-heartbeat = Tín hiệu cuối
column-tunnel = Tunnel
column-rotation = Xoay IP
column-setup = Thiết lập
column-model = Model
column-tags = Thẻ
page-missing = Vắng trong danh sách mới nhất
page-every = mỗi { $interval }
page-since-before = từ trước
page-limit = ngưỡng { $duration }
page-ago = { $duration } trước
page-at-time = lúc { $time }

# One phone.
page-not-found = Không tìm thấy máy { $name }.
page-board = Bảng Grafana
page-copy = Chép ID
page-copied = Đã chép.
page-no-problem = Không có vấn đề.
page-runbook = Cách xử lý
page-part-of = Thuộc đợt mất kết nối ở
page-offline-after = Offline sau
page-price = Giá mỗi ngày
page-estimate = { $amount } (ước tính)
page-last-day = 24 giờ qua: { $parts }
page-online-all-day = online suốt
day-offline = offline { $duration }
day-maintenance = bảo trì { $duration }
day-unknown = không có dữ liệu { $duration }
page-tap-day = Chạm vào một ngày, hoặc dùng các phím mũi tên, để xem số liệu.
page-csv-semicolon = CSV với dấu chấm phẩy
page-csv-comma = CSV với dấu phẩy

## features/history/browser

history-title = Theo thời gian
history-table = Bảng
history-failed = Không có biểu đồ: { $reason }
history-no-library = phần này của trang không tải được. Hãy tải lại trang.
history-days = { $count } ngày
history-self-rented = Tự thuê, online
history-sold = Đã bán
history-offline-phones = Máy offline
history-yesterday = Hôm qua
history-offline = Offline
history-balance = Thay đổi số dư
history-balance-in = Thay đổi số dư, { $currency }
history-in = Tiền vào
history-out = Tiền ra
# Compared with yesterday at this time.
history-same = { $now } offline, bằng giờ này hôm qua
history-more = { $now } offline, nhiều hơn { $count } so với giờ này hôm qua
history-fewer = { $now } offline, ít hơn { $count } so với giờ này hôm qua

## features/incidents/section.tsx

incidents-title = Sự cố trong 31 ngày qua
incidents-link = Sự cố
incidents-more-csv = và { $count } sự cố nữa trong CSV
incidents-is-open = chưa giải quyết
incidents-day = { $date }: { $text }
incidents-notes = Ghi chú
incidents-all = Tất cả
incidents-by-group = Nhóm
incidents-by-phone = Máy
incidents-sold-time-offline = Thời gian đã bán bị offline
incidents-time-to-acknowledge = Thời gian nhận xử lý
incidents-time-to-repair = Thời gian khắc phục
incidents-costliest-groups = Nhóm thiệt hại nhất
incidents-costliest-phones = Máy thiệt hại nhất
incidents-compared = (31 ngày trước đó)
# Who wrote a note, before the time; and the file that it is in.
incidents-note-by = do { $person } viết,
incidents-note-in = trong { $file }
incidents-add-note = Thêm ghi chú
incidents-correct = Sửa
incidents-remove = Xóa
incidents-remove-note = Xóa ghi chú này của { $name }
incidents-note-on = Ghi chú cho { $name }
incidents-you-are-on-it = Bạn đang xử lý.

## features/maintenance/section.tsx

maintenance-title = Đang bảo trì
maintenance-text = Cảnh báo của các máy này đang tắt.
maintenance-long = đã hơn một tuần
maintenance-end = Kết thúc
maintenance-end-of = Kết thúc bảo trì { $name }
maintenance-mute = Tắt cảnh báo
maintenance-mute-text = Trong thời gian đó sẽ không có cảnh báo về các máy này. Nếu sau đó máy vẫn offline, bạn sẽ được thông báo.
maintenance-reason = Lý do
maintenance-reason-optional = Lý do (không bắt buộc)
maintenance-hours = { $count } giờ
maintenance-days = { $count } ngày
maintenance-until-it-is-back = Đến khi online lại

## features/month/section.tsx

month-title = Tháng
month-this = Tháng này
month-group-by = Gộp theo
month-by-phone = theo máy
month-by-group = theo nhóm
month-by-model = theo model
month-tag-by = theo { $tag }
month-rows-phone = { $count } máy
month-rows-group = { $count } nhóm
month-rows-model = { $count } model
month-tag-rows = { $count } giá trị của { $tag }
month-more = { $rows }, dưới đây là { $shown } mục tệ nhất. CSV có đủ tất cả.
month-none = Không có dữ liệu.
month-last-days = 31 ngày qua
month-heading-phone = Máy
month-heading-group = Nhóm
month-heading-model = Model
month-account = Tài khoản
month-available = Sẵn sàng
month-sold = Đã bán
month-interruptions = Gián đoạn
month-offline-estimate = Mất do offline, ước tính
month-idle-estimate = Mất do trống, ước tính
month-time-sold_offline = Đã bán, offline
month-time-sold_online = Đã bán, online
month-time-maintenance = Đang bảo trì
month-time-self_rented = Tự thuê
month-time-idle = Trống
month-time-other = Khác
month-time-unknown = Không có dữ liệu
month-no-value = không có giá trị

## features/chat

somebody = ai đó
chat-status-command = Vấn đề, máy offline và độ mới của dữ liệu
chat-offline-command = Máy offline: /offline, /offline rack-03
chat-phone-command = Một máy: /phone slot-04
chat-rack-command = Một nhóm: /rack 03
chat-balance-command = Số dư
chat-language-command = Ngôn ngữ của cuộc trò chuyện này: /language
chat-help-command = Danh sách này
chat-language-choose = Tôi nên viết bằng ngôn ngữ nào?
chat-language-unknown = Tôi không có ngôn ngữ “{ $typed }”. Tôi nên viết bằng ngôn ngữ nào?
chat-language-set = Từ giờ tôi viết bằng tiếng Việt.
chat-needs-attention = Cần chú ý: { $text }.
chat-offline = Offline: { $text }.
chat-nothing = không có gì
chat-no-problems-since = không có vấn đề. Từ đó không có dữ liệu
chat-sold-offline = { $count } máy đã bán bị offline; bạn sẽ nhận được tin nhắn nếu kéo dài
chat-offline-of = { $offline }/{ $all } máy
chat-of-them-sold = trong đó { $count } đã bán
chat-accounts-unknown = { $count } tài khoản không rõ
chat-offline-unknown = Offline: không rõ.
chat-none-offline = Không có máy nào offline.
chat-muted-offline = Đang bảo trì: { $count } máy offline.
chat-muted-offline-in = Đang bảo trì: { $count } máy offline ở { $groups } (xem /rack).
# After "and 3 more".
chat-more-offline = (thử { $command })
chat-not-listed = Máy này không có trong danh sách thiết bị.
chat-last-heartbeat = Tín hiệu cuối { $time }, offline sau { $limit }
chat-no-heartbeat = Tín hiệu cuối: không có, offline sau { $limit }
# $status is such as "sold" or "idle".
chat-status-since = { $status } từ { $time }
chat-status-since-before = { $status } từ trước { $time }
chat-missing = Vắng trong danh sách thiết bị mới nhất
chat-none-called = Không có máy hay nhóm nào tên là { $name }.
chat-did-you-mean = Ý bạn là { $name }?
chat-left = { $name } không còn trong danh sách thiết bị. Lần cuối thấy: { $time }.
chat-offline-in-it = Máy offline trong đó: { $names }.
chat-pending = { $amount } đang chờ
chat-today = { $amount } hôm nay
chat-amount-since = { $amount } từ { $time }
chat-last-update = cập nhật lần cuối { $time }
chat-greeting = Tôi là bot của { $whose }: { $count } máy.
chat-greeting-groups = Tôi là bot của { $whose }: { $phones } trong { $groups } nhóm.
chat-this-fleet = dàn máy này
chat-good-morning = Chào buổi sáng.
chat-overnight = Đêm qua: { $text }.
chat-no-alerts = không có cảnh báo
chat-alerts = { $count } cảnh báo
chat-resolved = { $count } đã giải quyết
chat-muted = { $count } đã tắt
chat-sold = { $count }/{ $all } máy đã bán
chat-sold-unknown = Đã bán: không rõ
chat-balance = Số dư: { $text }.
chat-not-kept = Tôi chỉ lưu được văn bản, nên { $what } này không được lưu. Hãy trả lời bằng văn bản.
chat-text-only = Tôi chỉ lưu được văn bản, không lưu { $what }.
chat-note-again = Ghi chú chưa được lưu: hãy gửi lại sau.
chat-away-since = Exporter không phản hồi từ { $time }.
chat-away = Exporter không phản hồi.
chat-back = Exporter đã phản hồi lại.
chat-other-response = Exporter phản hồi với mã trạng thái { $status } và không có dữ liệu dàn máy.
chat-matches = { $count } kết quả.
chat-matches-first = { $count } kết quả, dưới đây là { $shown } kết quả đầu. Hãy gõ thêm tên.
chat-moved = Nhóm đã thành siêu nhóm và được trả lời theo số mới. Hãy đổi số trong --chats, và chat_id trong Alertmanager, vì cảnh báo ở đó không tự đi theo
chat-moved-to = Nhóm này giờ có số { $number }. { $text }.
chat-button-used = Nút này đã được dùng rồi.
chat-button-expired = Nút này đã hết hạn. Hãy gửi lại lệnh.
chat-which = Cái nào? Hãy thêm tên hoặc một phần tên sau lệnh.
chat-late = Lệnh trước của bạn đến quá muộn nên bị bỏ qua. Hãy gửi lại.
chat-group = nhóm
chat-administrator = quản trị viên của { $group }
attachment-photo = ảnh
attachment-video = video
attachment-animation = ảnh động
attachment-voice = tin nhắn thoại
attachment-video_note = tin nhắn video
attachment-audio = tệp âm thanh
attachment-document = tệp
attachment-sticker = nhãn dán
attachment-location = vị trí
attachment-contact = liên hệ
attachment-poll = cuộc bình chọn
attachment-other = tin nhắn

## features/maintenance/command.ts: headings and words of a table in a terminal

maintenance-column-id = id
maintenance-column-covers = phạm vi
maintenance-column-phones = số máy
maintenance-column-offline = offline
maintenance-column-until = đến
maintenance-column-by = bởi
maintenance-column-reason = lý do
maintenance-configuration = cấu hình

## features/incidents/command.ts: headings and words of a table in a terminal

incidents-none-since = Không có sự cố nào từ { $time }.
incidents-none-such-since = Không có sự cố nào như vậy từ { $time }.
incidents-somebody-small = ai đó
incidents-still-open = đang mở
incidents-column-since = từ
incidents-column-incident = sự cố
incidents-column-subject = ở đâu
incidents-column-lasted = kéo dài
incidents-column-phones = số máy
incidents-column-acknowledged = người xử lý
incidents-column-id = id
incidents-column-before = sự cố (trước đó)
incidents-column-sold = thời gian đã bán bị offline
incidents-column-acknowledge = thời gian nhận xử lý
incidents-column-repair = thời gian khắc phục
incidents-column-longest = lâu nhất

## features/month/command.ts: headings and words of a table in a terminal

month-column-name = tên
month-column-account = tài khoản
month-column-sold_online = đã bán, online
month-column-sold_offline = đã bán, offline
month-column-self_rented = tự thuê
month-column-idle = trống
month-column-other = khác
month-column-maintenance = bảo trì
month-column-unknown = không có dữ liệu
month-column-sold_share = tỷ lệ đã bán
month-column-availability = khả dụng
month-column-interruptions = lần gián đoạn
month-column-offline_estimate = chi phí offline, ước tính
month-column-idle_estimate = chi phí trống, ước tính

## cli/check.ts: what it finds with a key

check-available = khả dụng { $amount }
check-no-amount = không có số tiền khả dụng
check-right-key = Đây có đúng là khóa của tài khoản này không?

## features/setup

setup-ask-language = Ngôn ngữ: { $languages }
setup-no-language = { $typed } không có trong { $languages }.
setup-accounts-kept = Các tài khoản trong { $file } được giữ nguyên.
setup-login = Các nút trên trang dàn máy yêu cầu đăng nhập: { $user }, và mật khẩu trong tệp { $file }.
setup-ask-address = Địa chỉ API của sàn, ví dụ https://api.example.com
setup-ask-key = Khóa API, lấy từ trang quản lý hoster của sàn
setup-found =
    Tìm thấy: { $phones }
    Số dư: { $balance }
setup-try-again = Vẫn chưa được. Thử lại, hoặc nhấn Ctrl-C để thoát.
setup-continue-anyway = Vẫn tiếp tục?
setup-kept = Câu trả lời trước vẫn được dùng; hãy sửa lại sau.
setup-using = Dùng { $address }.
setup-api-proxied = API chỉ phản hồi qua proxy trong môi trường của bạn, nên exporter sẽ dùng proxy đó.
setup-ask-currency = Loại tiền của số dư, ví dụ EUR, hoặc none
setup-no-currency = { $typed } không phải mã tiền tệ như EUR.
setup-ask-time-zone = Múi giờ của bạn, cho giờ trong tin nhắn và ngày trong báo cáo
setup-ask-channel = Gửi cảnh báo đến đâu? Chọn một: { $channels }
setup-unknown-channel = Không rõ kênh { $typed }. Có thể chọn: { $channels }.
setup-secret-telegram = Token bot của bạn, từ @BotFather
setup-secret-ntfy = Địa chỉ topic của bạn, ví dụ https://ntfy.sh/my-phones-8231
setup-secret-pushover = Token ứng dụng của bạn tại pushover.net
setup-secret-discord = Địa chỉ webhook của kênh
setup-secret-slack = Địa chỉ incoming webhook của kênh
setup-secret-mail = Mật khẩu hộp thư; để trống nếu máy chủ không cần
setup-secret-webhook = Địa chỉ nhận cảnh báo dạng JSON
setup-service-proxied = Dịch vụ chỉ phản hồi qua proxy trong môi trường của bạn, nên cảnh báo sẽ dùng proxy đó.
setup-no-address = Đó không phải địa chỉ: địa chỉ phải bắt đầu bằng https://.
setup-no-topic = Địa chỉ đó không có topic.
setup-no-webhook = Địa chỉ đó không có webhook.
setup-discord-unknown = Discord không biết webhook này (trạng thái { $status }).
setup-ask-pushover-user = Khóa người dùng hoặc khóa nhóm của bạn từ pushover.net
setup-no-pushover-user = Đó không phải khóa người dùng, vốn có 30 chữ và số.
setup-no-pushover-token = Đó không phải token, vốn có 30 chữ và số.
setup-pushover-refused = Pushover từ chối token này.
setup-pushover-status = Pushover phản hồi trạng thái { $status }.
setup-pushover-unknown = Pushover không biết khóa người dùng này.
setup-ask-mail-server = Máy chủ thư, ví dụ mail.example.com, có thể kèm cổng như mail.example.com:465
setup-ask-mail-address = Địa chỉ gửi và nhận cảnh báo
setup-no-mail-address = { $typed } không phải địa chỉ thư như me@example.com.
setup-ask-mail-user = Người dùng của máy chủ thư
setup-mail-refused = { $server } từ chối đăng nhập: { $problem }
setup-no-mail-server = { $typed } không phải máy chủ thư như mail.example.com.
setup-mail-not-accepted = { $host } không nhận thư từ đây ({ $problems }).
setup-ask-first-message = Gửi cho bot một tin nhắn bất kỳ trong Telegram rồi nhấn Enter ở đây; hoặc nhập số của chat
setup-ask-chat = Số của chat
setup-using-chat = Dùng chat { $number }.
setup-channel-only = Kênh chỉ nhận cảnh báo: không ai gửi được lệnh cho bot ở đó.
setup-ask-bot-answers = Bot có trả lời cả các lệnh như /status không?
setup-no-token = Đó không phải token bot như 123456789:AAE… từ @BotFather.
setup-token-refused = Telegram từ chối token này. Sao chép lại từ @BotFather.
setup-telegram-silent = Telegram không phản hồi: { $reason }.
setup-telegram-refused-chat = Telegram từ chối chat { $number }: { $reason }.
setup-telegram-refused-topic = Telegram từ chối chủ đề { $number }: { $reason }.
setup-no-message = Bot chưa nhận được tin nhắn nào.
setup-no-chat = { $typed } không phải số của chat.
setup-supergroup = Nhóm đã thành siêu nhóm. Số của nhóm giờ là { $number }.
setup-ask-topic = Số của chủ đề nhận cảnh báo, lấy từ liên kết của một tin nhắn trong đó; 0 cho General
setup-no-topic-number = { $typed } không phải số của chủ đề.
setup-watchdog = Nếu máy này dừng, nó không thể gửi cảnh báo. Một dịch vụ bên ngoài thì có thể: ví dụ một check miễn phí tại healthchecks.io.
setup-ask-watchdog = Địa chỉ ping của dịch vụ đó, ví dụ https://hc-ping.com/…, hoặc none
setup-watchdog-status = Dịch vụ phản hồi trạng thái { $status }.
setup-changes = Thay đổi trong { $file }:
setup-write = Ghi các thay đổi này?
setup-lines = { $title } { $count } dòng, nhập d để xem
setup-hidden = (ẩn)
setup-keep = giữ cái hiện tại
setup-nothing-written = Chưa ghi gì cả.
setup-saved = Đã lưu vào { $directory }. Tiếp theo: { $command }
setup-no-server = Không có máy chủ nào tên { $name }.
setup-test-title = Cảnh báo thử: không máy nào mất kết nối
setup-test-text = Nếu bạn đọc được tin này thì cảnh báo đã đến được với bạn. Khoảng hai phút nữa sẽ có tin báo đã xong.
setup-test-bot = Giờ hãy thử /status.
setup-test-over = bài thử đã kết thúc
setup-no-test = Chưa cấu hình kênh nào nên không có cảnh báo thử.
setup-sent = Đã gửi: { $channel } đã nhận cảnh báo thử.
setup-arrived = Tin đã đến chưa?
setup-not-sent = Không gửi được cảnh báo thử đến { $channel }. Xem log của Alertmanager.

## config: texts of alerts (config/prometheus, config/alertmanager)

# The form of a date and a time, by the reference time of Go: 2 January 2006, 15:04.
alert-time = 2/1 15:04
# $reason is how it ended, such as "back online".
alert-over = { $reason } sau { $duration }
alert-over-unknown = đã giải quyết, không rõ lý do
alert-watchdog = Cảnh báo đang hoạt động
alert-watchdog-advice = Nếu không còn nhận được cảnh báo này, hệ thống cảnh báo đã hỏng.
alert-exporter-down = Exporter tại { $instance } không phản hồi
alert-exporter-down-advice = Chạy systemctl status hoster-exporter hoặc docker compose ps trên máy chủ của nó
alert-no-exporter = Prometheus không có exporter nào để truy vấn
alert-no-exporter-advice = Thêm một scrape job tên là hoster
alert-exporter-blind = Exporter tại { $instance } không có dữ liệu của tài khoản { $account }, trong khi exporter khác có
alert-exporter-blind-advice = So sánh mạng và khóa của nó với exporter kia.
alert-exporter-stalled = Exporter tại { $instance } chưa truy vấn tài khoản { $account } trong { $duration }
alert-exporter-stalled-advice = Khởi động lại nó. Log của nó và trang dàn máy cho biết hệ thống tệp nào không phản hồi.
alert-exporter-restarting = Exporter tại { $instance } khởi động lại liên tục
alert-exporter-restarting-advice = Nó đã khởi động { $count } lần trong 30 phút. Xem log của nó.
# $file is one of the five below.
alert-file-unusable = Exporter tại { $instance } không dùng được tệp: { $file }
alert-file-unusable-advice = Nó giữ những gì đã biết, lâu nhất đến khi khởi động lại. Xem trang hoặc log của nó.
alert-file-configuration = cấu hình
alert-file-state = trạng thái
alert-file-key = khóa
alert-file-incident = sự cố
alert-file-month = tháng
# $account and $reason, such as "timeout".
alert-key-refused = Khóa API bị từ chối: tài khoản { $account }
alert-key-refused-advice = Khóa sai hoặc tài khoản bị khóa: kiểm tra cả hai.
alert-api-unavailable = API của sàn không dùng được: tài khoản { $account } ({ $reason })
alert-api-schema = phản hồi của nó đã thay đổi
alert-api-unavailable-advice = Các cảnh báo trước vẫn mở. Nếu kéo dài một giờ, bạn sẽ nhận cảnh báo nghiêm trọng.
alert-api-unavailable-long-advice = Kiểm tra mạng của exporter, sau đó hỏi sàn.
alert-api-degraded = Dữ liệu của sàn không đầy đủ: tài khoản { $account } ({ $reason })
alert-condition-list_incomplete = danh sách không đầy đủ
alert-condition-devices_rejected = máy không có ID
alert-condition-heartbeats_unreadable = không đọc được tín hiệu
alert-condition-fields_unreadable = không đọc được một số trường
alert-condition-tunnels_unanswered = không có phản hồi về tunnel
alert-api-degraded-advice = Tìm phiên bản exporter mới hơn, sau đó hỏi sàn.
alert-balance-low = Số dư thấp: tài khoản { $account },{ $amount }
alert-balance-low-advice = Hãy nạp tiền, nếu không sàn sẽ từ chối lần tự thuê tiếp theo.
# $place is such as "rack-01", $counts such as "4 unsold and 36 sold".
alert-outage = Mất kết nối: { $place },{ $counts } máy offline
alert-sold = { $count } đã bán
alert-unsold = { $count } chưa bán
alert-and = và
alert-outage-advice = Kiểm tra điểm chung của chúng: điện và internet tại chỗ, bản cập nhật app, host proxy.
alert-no-cause-advice = Không tìm thấy nguyên nhân chung. Kiểm tra kết nối internet tại chỗ, sau đó kiểm tra các máy.
alert-sold-offline-advice = Khách đang trả tiền cho máy này. Kiểm tra nguồn điện, dữ liệu di động và app.
alert-offline-advice = Kiểm tra nguồn điện, dữ liệu di động và app.
alert-tunnel-advice = Bạn đang trả tiền cho một proxy không dùng được. Thuê lại hoặc hỏi sàn.
alert-left-advice = Nếu bạn không lưu trữ nó, hãy hỏi sàn.
alert-earns-nothing-advice = Thiết lập, đăng, kiểm tra giá hoặc lưu trữ máy.
alert-flapping-advice = Kiểm tra cáp, bộ sạc và sóng.
alert-credential-advice = Nếu không phải bạn, hãy kiểm tra ai có quyền truy cập.
# $subject is a phone, a place, or an account with its problem.
alert-not-acknowledged = Chưa ai xử lý: { $subject }
alert-not-acknowledged-advice = Nhận xử lý trong chat hoặc trên trang dàn máy, hoặc gọi người phụ trách.
alert-acknowledged = đã có người xử lý hoặc đã giải quyết

alert-kind-resolved = [ĐÃ XONG]
alert-kind-muted = [ĐÃ TẮT]
alert-kind-changed = [THAY ĐỔI]
alert-kind-critical = [NGHIÊM TRỌNG]
alert-kind-warning = [CẢNH BÁO]
alert-kind-info = [THÔNG TIN]
alert-of-account = (tài khoản { $account })
alert-in-total = (tổng cộng { $count })
alert-rest = Tổng cộng { $count }. Phần còn lại xem trên trang dàn máy.
alert-runbook = Cách xử lý
alert-page = Trang dàn máy
alert-note = Ghi chú
alert-notes = Ghi chú
alert-on-it = Nhận xử lý
alert-on-it-each = Nhận xử lý: bấm lệnh ở sau dòng
alert-on-it-all = tất cả
alert-phones-now = Máy hiện tại
